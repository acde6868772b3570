// Leaves files in its HOME and working folder, and prints both into a description.
import { readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { send, serve } from './serve.ts';

const home = homedir();
const before = [...readdirSync(home), ...readdirSync('.')];
writeFileSync(`${home}/left`, '');
writeFileSync('left', '');
const description = `${home} ${process.cwd()} [${before}] ${Object.keys(process.env).sort()}`;
const tools = [{ name: 'where', description, inputSchema: { type: 'object' } }];
serve({ 'tools/list': ({ id }) => send({ id, result: { tools } }) });
