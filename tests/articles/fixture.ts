/** A small project on disk with a ledger of its own: two fixture servers (no real ones) and one article. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { append } from '../../src/disk/append.ts';
import type { BlobRef, ToolsListBody } from '../../src/ledger/entry.ts';

export const STAMP = { actor: 'fixture', ts: '2026-01-02T03:04:05.678Z' };

/** What the fixture server "small" lists: two tools that share nothing. */
const SMALL = [
  { name: 'add', description: 'Adds two numbers.', inputSchema: { type: 'object' } },
  { name: 'say', description: 'Says | *something* <b>bold</b>.', inputSchema: { type: 'object' } },
];
/** What the fixture server "copies" lists: one definition carried by each of three tools. */
const COPIES = ['alpha', 'beta', 'gamma'].map((name) => ({
  name,
  description: `The ${name} tool of a fixture.`,
  inputSchema: {
    type: 'object',
    $defs: { page: { type: 'object', properties: { title: { type: 'string', minLength: 1 } } } },
    properties: { page: { $ref: '#/$defs/page' } },
  },
}));

export const payload = (tools: unknown): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ jsonrpc: '2.0', id: 1001, result: { tools } })}\n`);

export const FILES: Record<string, string> = {
  'servers.yaml': `- { name: small, package: fixture-small, version: 1.0.0, licence: MIT, as_of: 2026-01-02 }
- { name: copies, package: fixture-copies, version: 1.0.0, licence: MIT, as_of: 2026-01-02 }
- { name: silent, package: fixture-silent, version: 1.0.0, licence: MIT, as_of: 2026-01-02 }
`,
  'articles/what-fixtures-cost/index.mdx': `---
title: What fixture servers cost
summary: The fixtures come to {servers.all.tokens} tokens, {copies_share} of them one server's.
tags: [fixtures]
status: published
stats:
  - { figure: servers.all.tokens, label: tokens of definitions }
  - { figure: copies_share, label: of them one server's }
notes:
  - Counted for {servers.all.count} servers that were made for this.
constants:
  - { value: 200000, reason: A round size that stands for a window. }
---

Both list <Fig id="servers.all.tools"/> tools in all, of a window of 200,000.

## What two fixtures cost

<Claim id="total"/>

<DataTable id="servers"/>

## Elsewhere & otherwise

Others measured, too <Cite id="post"/>; their list had fifteen {/* number: said in passing, without a method */} tools.

<Claim id="theirs"/>

<Symptoms id="faults"/>

- A list with \`code 12\` and _emphasis_.

> Quoted: 99 tools.
`,
  'articles/what-fixtures-cost/figures.ts': `import type { DeriveFigures } from '../../../src/measure/figure.ts';
import { share } from '../../../src/measure/figures.ts';

const derive: DeriveFigures = ({ servers, figures }) => ({
  figures: {
    copies_share: share(
      figures.get('servers.copies.tokens')!,
      figures.get('servers.all.tokens')!,
      'part of one server',
    ),
  },
  tables: {
    servers: {
      caption: 'Each fixture | heaviest last',
      columns: [
        { key: 'server', label: 'Server' },
        { key: 'tokens', label: 'Tokens', numeric: true },
      ],
      rows: servers.map(({ name, version }) => ({
        key: name,
        cells: [\`\${name} \${version}\`, { figure: \`servers.\${name}.tokens\` }],
      })),
    },
  },
});
export default derive;
`,
  'articles/what-fixtures-cost/claims.yaml': `- id: total
  text: The fixtures come to {servers.all.tokens} tokens, {copies_share} of them in one.
  tier: system
  status: [observed, derived]
  sources: []
  section: what-two-fixtures-cost
  claimed_by: The fixture
  why: It is what the test asks for.
  rationale: Counted as everything else is.
- id: theirs
  text: Somebody counted {sources.post.tokens} tokens on 17 August 2026.
  tier: anecdotal
  status: [externally_attested]
  sources: [post]
  section: elsewhere--otherwise
  claimed_by: The fixture
  why: It stands beside ours.
  rationale: Cited as it stands.
`,
  'articles/what-fixtures-cost/symptoms.yaml': `- id: too-heavy
  table: faults
  symptom: The list is *heavy*.
  cause: It holds_much.
  fix: Set \`FIXTURE_LIGHT=1\`.
  client: fixture
  since: 1.0.0
  until: null
  date: 2026-01-02
  source: post
  claims: [total]
- id: two-tools
  table: faults
  symptom: There are few tools.
  cause: The fixture has no more.
  fix: None is needed.
  client: other
  since: null
  until: 1.2.0
  date: 2026-01-02
  source: null
  claims: [total]
  reproduced:
    captures: [543c0078f2a58521025e2ba9db221479c9df01d1f20f32e314ed904733176636]
    shows: It lists {servers.all.tools} with the others.
`,
  'articles/what-fixtures-cost/sources.yaml': `- id: post
  type: independent_measurement
  url: https://example.org/post
  title: A post of 40 *words* by <somebody>
  author: Somebody
  published: 2026-08-17
  quote: We counted 1,234 tokens in *all* of <it>.
  quote_status: verified
  summary: A made-up post for the fixture.
  figures:
    - { name: tokens, characters: '1,234', value: '1234', unit: tokens }
  checked: 2026-09-01
`,
  'articles/what-fixtures-cost/skill.md': `---
description: Weighs fixtures. Use when a test asks for it.
---

## Procedure

1. Weigh them; all together they are {servers.all.tokens} tokens.
2. Stop. Braces in \`{code}\` stay.
`,
};

export interface Project {
  root: string;
  /** Writes a file of content/, or with null takes it away. */
  write(path: string, text: string | null): void;
  /** Replaces text in a file of content/; throws when it is not there. */
  edit(path: string, from: string, to: string): void;
  remove(): void;
}

/** Writes the project; `change` replaces files, and with null leaves them out. */
export async function project(change: Record<string, string | null> = {}): Promise<Project> {
  const root = mkdtempSync(join(tmpdir(), 'weighbridge-articles-'));
  // So that an article's figures.ts finds src/measure by the path that it has in the repository.
  symlinkSync(fileURLToPath(new URL('../../src', import.meta.url)), join(root, 'src'));
  const at = (path: string): string => join(root, 'content', path);
  const write = (path: string, text: string | null): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    if (text === null) rmSync(at(path), { force: true });
    else writeFileSync(at(path), text);
  };
  for (const [path, text] of Object.entries({ ...FILES, ...change })) write(path, text);
  mkdirSync(join(root, 'ledger'));
  writeFileSync(join(root, 'ledger/origin'), 'fixture.example/ledger\n');
  await append(join(root, 'ledger'), STAMP, (batch) => {
    batch.add({
      type: 'capture.add',
      article: null,
      body: captured('small', batch.blob(payload(SMALL)), 2),
    });
    batch.add({
      type: 'capture.add',
      article: null,
      body: captured('copies', batch.blob(payload(COPIES)), 3),
    });
    batch.add({ type: 'capture.add', article: null, body: FAILED });
  });
  return {
    root,
    write,
    edit: (path, from, to) => {
      const text = readFileSync(at(path), 'utf8');
      if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
      writeFileSync(
        at(path),
        text.replace(from, () => to),
      );
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

const ATTEMPT = {
  kind: 'tools_list',
  run: STAMP.ts,
  recipe: {
    transport: 'stdio',
    args: [],
    env: {},
    place: '/tmp/weighbridge/fixture/',
    node: 'v24.0.0',
    protocol_requested: '2025-11-25',
    client_capabilities: '{}',
  },
  unchanged_from: null,
  redactions: [],
} as const satisfies Partial<ToolsListBody>;

export function captured(server: string, blob: BlobRef, tools: number): ToolsListBody {
  return {
    ...ATTEMPT,
    recipe: { ...ATTEMPT.recipe, args: [], env: {} },
    redactions: [],
    outcome: 'captured',
    server,
    package: { name: `fixture-${server}`, version: '1.0.0', integrity: null, as_of: '2026-01-02' },
    answer: {
      protocol_negotiated: '2025-06-18',
      server_name: server,
      server_version: null,
      pages: 1,
      tools,
      same_order: true,
      same_bytes: true,
      warnings: [],
    },
    blob,
    failure: null,
  };
}

export const FAILED: ToolsListBody = {
  ...captured('silent', { sha256: '0'.repeat(64), bytes: 0 }, 0),
  outcome: 'failed',
  answer: null,
  blob: null,
  failure: { code: 'timeout', message: 'no answer within 5 s', stderr_tail: '', elapsed_ms: 5000 },
};
