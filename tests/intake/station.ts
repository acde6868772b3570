/** A server that takes posts, in a process of its own, for those who kill it: `station.ts DIST QUEUE`. */
import { mountIntake } from '../../src/intake/mount.ts';
import { serve } from '../../src/serve.ts';
import { address } from '../../src/site.ts';

const [dist = '', dir = ''] = process.argv.slice(2);
const serving = await serve(0, '');
serving.open(dist, (files) =>
  mountIntake(
    { dir, site: address({}), port: serving.port, document: (path) => files.document(path) },
    { INTAKE_PER_MINUTE: 'Infinity', TERMINAL_KEY: 'key' },
  ),
);
process.once('SIGTERM', async () => {
  await serving.close();
  process.exit(0);
});
process.stdout.write(`${serving.port}\n`);
