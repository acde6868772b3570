/** How wrangler is called to run the Worker on this machine: offline, silent about itself, on loopback. */
import { fileURLToPath } from 'node:url';

export interface Local {
  port: number;
  /** Where the object's SQLite stands. */
  state: string;
  /** The built site. */
  assets: string;
  vars: Readonly<Record<string, string | undefined>>;
}

/** The command, its arguments and what its environment needs besides. */
export function edgeArguments({ port, state, assets, vars }: Local) {
  const wrangler = fileURLToPath(new URL('../bin/wrangler.js', import.meta.resolve('wrangler')));
  const config = fileURLToPath(new URL('./wrangler.jsonc', import.meta.url));
  return {
    command: process.execPath,
    args: [
      ...[wrangler, 'dev', '-c', config, '--ip', '127.0.0.1', '--port', String(port)],
      ...['--persist-to', state, '--assets', assets, '--show-interactive-dev-session=false'],
      ...Object.entries(vars).flatMap(([name, value]) =>
        value === undefined ? [] : ['--var', `${name}:${value}`],
      ),
    ],
    env: {
      ...{ WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: state, CI: '1' },
      // It would ask the registry whether it is the latest, and Cloudflare where this machine stands.
      ...{ WRANGLER_HIDE_BANNER: 'true', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
    },
  };
}
