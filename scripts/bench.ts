/** `npm run bench [-- NAME…]`: runs the measurements in scripts/bench/ and says which miss their mark. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { script, Usage } from '../src/script.ts';

/** What each module in scripts/bench/ exports. */
export interface Bench {
  /** As the file is called. */
  name: string;
  /** Measures; `rows` are lines to read, `ok` is whether every mark was met. */
  run(): Promise<{ rows: string[]; ok: boolean }>;
}

const folder = join(import.meta.dirname, 'bench');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const USAGE = `usage: npm run bench [-- NAME…]

Runs the named measurements, or all: ${names.join(', ')}.
Marks are ratios within one run where they can be, so that a slow machine does not fail them.

exit: 0 every mark met, 1 one missed, 2 usage
`;

async function main(): Promise<number> {
  const { positionals: asked, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Usage(`no measurement is called ${unknown.join(', ')}`);

  let met = true;
  // One after another: side by side they would measure each other.
  for (const name of asked.length > 0 ? asked : names) {
    const bench: Bench = await import(join(folder, `${name}.ts`));
    const { rows, ok } = await bench.run();
    process.stdout.write(`${bench.name}: ${ok ? 'met' : 'MISSED'}\n`);
    for (const row of rows) process.stdout.write(`  ${row}\n`);
    met &&= ok;
  }
  return met ? 0 : 1;
}

await script({ usage: USAGE }, main);
