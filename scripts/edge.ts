/** `npm run edge`: the built site on workerd, with the intake in a Durable Object; what is posted stays in .cache/edge. */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { edgeArguments } from '../src/intake/edge/run.ts';
import { portNumber, script } from '../src/script.ts';

const USAGE = `usage: npm run edge [-- --port N]

Serves dist/ as Cloudflare's edge would, on this machine and without an account. Build it first.
TERMINAL_KEY and INTAKE_KEY are passed on.

  --port N   where to serve (8787)
  --help     print this

exit: 0 stopped by you, 2 usage
`;

await script({ usage: USAGE }, async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8787' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const port = portNumber(values.port, 1);
  const { command, args, env } = edgeArguments({
    port,
    state: '.cache/edge',
    assets: 'dist',
    vars: {
      ALSO_ORIGIN: `http://localhost:${port}`,
      ...Object.fromEntries(
        ['TERMINAL_KEY', 'INTAKE_KEY', 'SITE_URL', 'BASE_PATH', 'INTAKE_PER_MINUTE'].flatMap(
          (name) => (process.env[name] ? [[name, process.env[name]]] : []),
        ),
      ),
    },
  });
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise<number>((done) => child.on('exit', (code) => done(code ?? 0)));
});
