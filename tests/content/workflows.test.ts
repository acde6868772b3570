/** What runs elsewhere on a schedule must keep to what it may do there. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMMANDS } from '../../src/commands.ts';

const Workflow = z.object({
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});
const files = globSync('.github/workflows/*.yml').sort();
const read = (file: string) => {
  const text = readFileSync(file, 'utf8');
  const { permissions, jobs } = Workflow.parse(parse(text));
  return { text, permissions, steps: Object.values(jobs).flatMap(({ steps }) => steps) };
};

test('workflows pin their actions by major version, state their rights and know no secret', () => {
  assert.equal(files.length, 2);
  for (const { text, steps } of files.map(read)) {
    for (const { uses } of steps) if (uses) assert.match(uses, /^actions\/[a-z-]+@v\d+$/);
    assert.doesNotMatch(text, /secrets\./);
  }
  assert.deepEqual(read('.github/workflows/ci.yml').permissions, { contents: 'read' });
});

test('the refresh runs the options that refresh has, and never records or signs', () => {
  const runs = read('.github/workflows/refresh.yml').steps.flatMap(({ run }) => run ?? []);
  const command = /npm run -s refresh -- (.*?) >/.exec(runs.join('\n'))?.[1]?.split(' ') ?? [];
  assert.deepEqual(command, ['--inbox', '--report']);
  for (const option of command) assert.ok(option.slice(2) in COMMANDS.refresh.options);
  const commands = runs.join('\n').replaceAll(/printf '.*'/g, '');
  assert.doesNotMatch(commands, /npm run (?:-s )?(?:record|sign)/);
});
