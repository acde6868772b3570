/** A house of its own for a refresh: an empty ledger, fixture servers as cached packages, a place. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseServers, type ServerContent } from '../../src/articles/servers.ts';

export type House = {
  root: string;
  ledger: string;
  cacheDir: string;
  places: string;
  servers: ServerContent[];
};

/** `wanted`: fixture files by name, each with its arguments; `releases`: versions that each had before. */
export function makeHouse(wanted: Record<string, string[]>, releases: string[] = []): House {
  const root = mkdtempSync(join(tmpdir(), 'house-'));
  const [ledger, cacheDir, places] = ['ledger', '.cache/npm', 'places'].map((name) =>
    join(root, name),
  ) as [string, string, string];
  for (const folder of [ledger, cacheDir, join(root, 'content')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(ledger, 'origin'), 'example.org/refresh-test\n');
  const yaml = Object.entries(wanted).map(([fixture, args]) => {
    const name = `fixture-${fixture}`;
    const script = join(import.meta.dirname, '../servers', `${fixture}.ts`);
    for (const version of [...releases, '1.0.0']) {
      const home = join(cacheDir, `${name}@${version},2026-11-30`);
      const dir = join(home, 'node_modules', name);
      mkdirSync(dir, { recursive: true });
      const lock = { packages: { [`node_modules/${name}`]: { integrity: 'sha512-fixture' } } };
      writeFileSync(join(home, 'package-lock.json'), JSON.stringify(lock));
      const manifest = { name, version, bin: 'cli.mjs' };
      writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest));
      writeFileSync(join(dir, 'cli.mjs'), `import ${JSON.stringify(script)};\n`);
    }
    const server = { name: fixture, package: name, version: '1.0.0', releases };
    return `- ${JSON.stringify({ ...server, as_of: '2026-11-30', args, licence: 'MIT' })}\n`;
  });
  writeFileSync(join(root, 'content/servers.yaml'), yaml.join(''));
  return { root, ledger, cacheDir, places, servers: parseServers(yaml.join('')) };
}
