#!/usr/bin/env node
/** `weighbridge`: runs a verb in a Node that can, this one or the one that was installed along. */
import { spawn } from 'node:child_process';
import { chooseNode, here, OLDEST } from './node.js';

const node = chooseNode(here);
if (node === null) {
  await import('./strip.js');
  await import('../weighbridge.ts');
} else if (node === undefined) {
  process.stderr.write(
    `weighbridge needs Node ${OLDEST}; this is ${process.version}, and none was installed along for ${here.platform} ${here.arch} [node.too-old]\n` +
      `  Run it with Node ${OLDEST} or newer, or install without --omit=optional.\n`,
  );
  process.exitCode = 1;
} else {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches both; the child decides what it means, and we wait for its word.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`cannot start ${node}: ${error.message} [node.unusable]\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exitCode = code;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}
