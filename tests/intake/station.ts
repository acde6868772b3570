/**
 * A server that takes posts, in a process of its own, for those who kill or measure it:
 * `station.ts DIST QUEUE`. INTAKE_KEY_FILE as `npm start` has it. Whoever sends it a message is told what
 * it takes up.
 */
import { mountIntake } from '../../src/intake/mount.ts';
import { serve } from '../../src/serve.ts';
import { address } from '../../src/site.ts';

/** Of memory in bytes, of processor time in microseconds. */
export interface Taken {
  bytes: number;
  cpu: number;
}

const [dist = '', dir = ''] = process.argv.slice(2);
const serving = await serve(0, '');
serving.open(dist, (files) =>
  mountIntake(
    { dir, site: address({}), port: serving.port, document: (path) => files.document(path) },
    {
      ...{ INTAKE_PER_MINUTE: 'Infinity', TERMINAL_KEY: 'key' },
      INTAKE_KEY_FILE: process.env['INTAKE_KEY_FILE'],
    },
  ),
);
process.once('SIGTERM', async () => {
  await serving.close();
  process.exit(0);
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ bytes: process.memoryUsage.rss(), cpu: user + system } satisfies Taken);
});
process.stdout.write(`${serving.port}\n`);
