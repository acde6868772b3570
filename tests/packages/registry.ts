/** A registry on the loopback that holds one package and a dependency, so that installing is tested with no network. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Registry = {
  /** Settings for npm, and nothing else that it needs but the PATH. */
  env: NodeJS.ProcessEnv;
  /** `sha512-…` of the one package, `@fixture/server` 1.2.3. */
  integrity: string;
  /** The paths that were asked for. */
  asked: string[];
  close(): void;
};

/** `gate`, when given, is awaited before the package's bytes are sent. */
export async function startRegistry(gate?: Promise<void>): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  mkdirSync(join(folder, 'package'));
  const manifest = {
    name: '@fixture/server',
    version: '1.2.3',
    license: 'MIT',
    bin: { server: 'cli.js', other: '../../outside.js' },
    scripts: { install: 'touch ran-a-script' },
  };
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package/cli.js'), '');
  execFileSync('tar', ['czf', 'package.tgz', 'package'], { cwd: folder });
  const bytes = readFileSync(join(folder, 'package.tgz'));
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    if (path === '/package.tgz') {
      await gate;
      response.end(bytes);
    } else if (path === '/@fixture/server' || path === '/@fixture/dependency') {
      const name = path.slice(1);
      const dist = { tarball: `${origin}/package.tgz`, integrity };
      const versions = { '1.2.3': { ...manifest, name, dist } };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: '1.2.3' },
          versions,
          time: { '1.2.3': '2026-06-01T00:00:00.000Z' },
        }),
      );
    } else {
      response.statusCode = 404;
      response.end('{}');
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      npm_config_registry: origin,
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
    },
    integrity,
    asked,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
