// Ignores the end of its input and SIGTERM, and has started a child that does so too.
import { spawn } from 'node:child_process';
import { serve } from './serve.ts';

const stay = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
const child = spawn(process.execPath, ['-e', stay], { stdio: 'inherit' });
process.stderr.write(`pids ${process.pid} ${child.pid}\n`);
process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
serve();
