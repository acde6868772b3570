/** Every way in which content can be wrong: a code, a place, and nothing recorded. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load, loadSite } from '../../src/load.ts';
import { FILES, type Project, project } from './fixture.ts';

const A = 'articles/what-fixtures-cost';
let made: Project;
before(async () => {
  made = await project();
});
after(() => made.remove());

/** Problems of the fixture with one change, as `place [code] message`. */
async function problems(path: string, from: string, to: string): Promise<string[]> {
  made.edit(path, from, to);
  try {
    const { problems: found } = await load({ root: made.root });
    return found.map(({ at, code, message }) => `${at} [${code}] ${message}`);
  } finally {
    made.write(path, FILES[path]!);
  }
}

const INDEX = `${A}/index.mdx`;
const CLAIMS = `${A}/claims.yaml`;
const SOURCES = `${A}/sources.yaml`;
const FIGURES = `${A}/figures.ts`;
const SKILL = `${A}/skill.md`;
const SYMPTOMS = `${A}/symptoms.yaml`;

const CASES: [what: string, path: string, from: string, to: string, ...expected: RegExp[]][] = [
  [
    'an unknown source of a claim',
    CLAIMS,
    '[post]',
    '[pots]',
    /claims\.yaml:14:13 \[claim\.source\].*pots/,
    /\[claim\.status\]/,
  ],
  [
    'an unknown tier',
    CLAIMS,
    'tier: system',
    'tier: gospel',
    /claims\.yaml:3:9 \[yaml\.invalid\] 0\.tier/,
  ],
  [
    'names for names that grow without end',
    CLAIMS,
    '- id: total',
    `- &a [${'x,'.repeat(20)}]\n- &b [${'*a,'.repeat(20)}]\n- [${'*b,'.repeat(20)}]\n- id: total`,
    /claims\.yaml \[yaml\.syntax\] Excessive alias count/,
  ],
  [
    'a day that no calendar has',
    SOURCES,
    '2026-08-17',
    '9999-99-99',
    /sources\.yaml:6:14 \[yaml\.invalid\] 0\.published: a day as YYYY-MM-DD/,
  ],
  [
    'an address that is none',
    SOURCES,
    'https://example.org/post',
    'http://a:b:c@[zz',
    /sources\.yaml:3:8 \[yaml\.invalid\] 0\.url/,
  ],
  [
    'an unknown status',
    CLAIMS,
    'observed,',
    'seen,',
    /claims\.yaml:4:12 \[yaml\.invalid\] 0\.status\.0/,
  ],
  [
    'an unknown figure in a claim',
    CLAIMS,
    '{copies_share}',
    '{copies_shares}',
    /claims\.yaml:2:9 \[figure\.unknown\] no figure copies_shares/,
  ],
  [
    'an unknown figure in the summary',
    INDEX,
    '{copies_share} of',
    '{copy} of',
    /index\.mdx:3:10 \[figure\.unknown\]/,
  ],
  [
    'an unknown figure in a stat',
    INDEX,
    'figure: copies_share',
    'figure: nothing',
    /index\.mdx:8:15 \[figure\.unknown\]/,
  ],
  [
    'an unknown figure in prose',
    INDEX,
    'id="servers.all.tools"',
    'id="servers.al.tools"',
    /index\.mdx:15:11 \[figure\.unknown\] no figure servers\.al\.tools/,
  ],
  [
    'an unknown figure in the skill',
    SKILL,
    '{servers.all.tokens}',
    '{servers.all.token}',
    /skill\.md:7:1?\d* ?\[figure\.unknown\]/,
  ],
  [
    'an unknown figure in a table',
    FIGURES,
    '.tokens` }],',
    '.weight` }],',
    /figures\.ts: table servers, row small \[figure\.unknown\]/,
    /row copies/,
  ],
  [
    'an unknown claim in prose',
    INDEX,
    '<Claim id="total"/>',
    '<Claim id="totals"/>',
    /claims\.yaml:1:7 \[claim\.unshown\]/,
    /index\.mdx:19:1 \[claim\.unknown\]/,
  ],
  [
    'an unknown source in prose',
    INDEX,
    '<Cite id="post"/>',
    '<Cite id="past"/>',
    /index\.mdx:25:22 \[source\.unknown\]/,
  ],
  [
    'an unknown table',
    INDEX,
    '<DataTable id="servers"/>',
    '<DataTable id="server"/>',
    /index\.mdx:21:1 \[table\.unknown\]/,
  ],
  [
    'a claim that is never shown',
    INDEX,
    '<Claim id="total"/>',
    '',
    /claims\.yaml:1:7 \[claim\.unshown\]/,
  ],
  [
    'a claim that is shown twice',
    INDEX,
    '<Claim id="total"/>',
    '<Claim id="total"/>\n\n<Claim id="total"/>',
    /index\.mdx:21:1 \[mdx\.twice\]/,
  ],
  [
    'an unknown section',
    CLAIMS,
    'section: what-two-fixtures-cost',
    'section: what',
    /claims\.yaml:6:12 \[claim\.section\] no heading/,
    /index\.mdx:19:1 \[claim\.section\]/,
  ],
  [
    'a claim under another heading than it says',
    CLAIMS,
    'section: what-two-fixtures-cost',
    'section: elsewhere--otherwise',
    /index\.mdx:19:1 \[claim\.section\] claim total says/,
  ],
  [
    'observed without a capture',
    CLAIMS,
    '[externally_attested]',
    '[observed]',
    /claims\.yaml:13:12 \[claim\.status\] claim theirs says observed/,
  ],
  [
    'derived without arithmetic',
    CLAIMS,
    '[externally_attested]',
    '[derived]',
    /claim theirs says derived/,
  ],
  [
    'specified without a specification',
    CLAIMS,
    '[externally_attested]',
    '[specified]',
    /claim theirs says specified/,
  ],
  [
    'implemented without code',
    CLAIMS,
    '[externally_attested]',
    '[implemented]',
    /claim theirs says implemented/,
  ],
  [
    'deployed without a receipt',
    CLAIMS,
    '[externally_attested]',
    '[deployed]',
    /claim theirs says deployed/,
  ],
  [
    'reproduced without a source',
    CLAIMS,
    '[observed, derived]',
    '[reproduced]',
    /claim total says reproduced/,
  ],
  [
    'externally attested by nobody',
    CLAIMS,
    '[observed, derived]',
    '[externally_attested]',
    /claim total says externally_attested/,
  ],
  [
    'a second claim of one id',
    CLAIMS,
    'id: theirs',
    'id: total',
    /claims\.yaml:10:7 \[yaml\.invalid\] 1\.id: a second total/,
  ],
  [
    'a stray brace in a claim',
    CLAIMS,
    'The fixtures come',
    'The {Fixtures come',
    /claims\.yaml:2:9 \[slot\.malformed\]/,
  ],
  [
    'cited characters that are not in the quote',
    SOURCES,
    "characters: '1,234'",
    "characters: '1,235'",
    /sources\.yaml:11:35 \[source\.characters\]/,
  ],
  [
    'cited characters that are a part of a number',
    SOURCES,
    "characters: '1,234', value: '1234'",
    "characters: '234', value: '234'",
    /\[source\.characters\]/,
  ],
  [
    'a cited value that the characters do not spell',
    SOURCES,
    "value: '1234'",
    "value: '1243'",
    /sources\.yaml:11:35 \[source\.value\] "1,234" reads as 1234, not as 1243/,
  ],
  [
    'an unknown type of source',
    SOURCES,
    'type: independent_measurement',
    'type: rumour',
    /sources\.yaml:2:9 \[yaml\.invalid\] 0\.type/,
  ],
  [
    'a source without a web address',
    SOURCES,
    'https://example.org/post',
    'javascript:alert`1`',
    /sources\.yaml:3:8 \[yaml\.invalid\] 0\.url/,
  ],
  [
    'figures that throw',
    FIGURES,
    'figures: {',
    "figures: ((): never => { throw new Error('no such server'); })() ?? {",
    /figures\.ts:5:34 \[figures\.threw\] no such server/,
  ],
  [
    'figures that give nothing',
    FIGURES,
    'export default derive;',
    'export default () => undefined;',
    /figures\.ts \[figures\.invalid\] it gives undefined/,
  ],
  [
    'a figure that is nothing',
    FIGURES,
    "share(\n      figures.get('servers.copies.tokens')!,\n      figures.get('servers.all.tokens')!,\n      'part of one server',\n    )",
    'undefined',
    /figures\.ts:6:5 \[figures\.invalid\] copies_share: /,
  ],
  [
    'a figure that is not finite',
    FIGURES,
    "share(\n      figures.get('servers.copies.tokens')!,\n      figures.get('servers.all.tokens')!,\n      'part of one server',\n    )",
    "{ ...figures.get('servers.all.tokens')!, value: 1 / 0 }",
    /figures\.ts:6:5 \[figure\.not-finite\] copies_share is Infinity/,
  ],
  [
    'a figure that is NaN',
    FIGURES,
    "share(\n      figures.get('servers.copies.tokens')!,\n      figures.get('servers.all.tokens')!,\n      'part of one server',\n    )",
    "{ ...figures.get('servers.all.tokens')!, value: 0 / 0 }",
    /copies_share is NaN/,
  ],
  [
    'figures without a default',
    FIGURES,
    'export default derive;',
    '',
    /figures\.ts \[figures\.default\]/,
  ],
  [
    'figures with a syntax error',
    FIGURES,
    'export default derive;',
    'export default {',
    /figures\.ts:\d+ \[figures\.load\]/,
  ],
  [
    'figures that import from elsewhere',
    FIGURES,
    'const derive',
    "import { readFileSync } from 'node:fs';\nconst derive",
    /figures\.ts:4:25 \[figures\.import\] node:fs/,
  ],
  [
    'figures that read the clock',
    FIGURES,
    'const derive',
    'export const now = Date.now();\nconst derive',
    /figures\.ts:4:20 \[figures\.impure\] Date/,
  ],
  [
    'figures that are random',
    FIGURES,
    'const derive',
    'export const dice = Math.random();\nconst derive',
    /\[figures\.impure\] Math\.random/,
  ],
  [
    'figures that fetch',
    FIGURES,
    'const derive',
    "export const page = fetch('x');\nconst derive",
    /\[figures\.impure\] fetch/,
  ],
  [
    'figures that ask the process',
    FIGURES,
    'const derive',
    'export const env = process.env;\nconst derive',
    /\[figures\.impure\] process/,
  ],
  [
    'a number in a table',
    FIGURES,
    "label: 'Tokens'",
    "label: 'Tokens of 31'",
    /figures\.ts:17:44 \[number\.unbound\] "31"/,
  ],
  [
    'a number in a label',
    FIGURES,
    "'part of one server'",
    "'part of 31'",
    /figures\.ts:9:16 \[number\.unbound\] "31"/,
  ],
  [
    'a row with a cell too many',
    FIGURES,
    "        { key: 'tokens', label: 'Tokens', numeric: true },\n",
    '',
    /\[table\.rows\] row small/,
    /\[table\.rows\] row copies/,
  ],
  ['two rows of one key', FIGURES, 'key: name', "key: 'same'", /\[table\.rows\] two rows/],
  ['an MDX error', INDEX, 'Both list', 'Both <list', /index\.mdx:15:6 \[mdx\.syntax\]/],
  ['an expression', INDEX, 'Both list', 'Both {1 + 1} list', /index\.mdx:15:6 \[mdx\.expression\]/],
  [
    'an import',
    INDEX,
    'Both list',
    "import x from 'y';\n\nBoth list",
    /index\.mdx:15:1 \[mdx\.esm\]/,
  ],
  [
    'an export',
    INDEX,
    'Both list',
    'export const x = 1;\n\nBoth list',
    /index\.mdx:15:1 \[mdx\.esm\]/,
  ],
  [
    'an unknown component',
    INDEX,
    'Both list',
    '<Chart id="x"/> Both list',
    /index\.mdx:15:1 \[mdx\.component\] <Chart> is not/,
  ],
  [
    'an HTML element',
    INDEX,
    'Both list',
    '<b>Both</b> list',
    /index\.mdx:15:1 \[mdx\.component\] <b>/,
  ],
  [
    'a component with more than an id',
    INDEX,
    '<Cite id="post"/>',
    '<Cite id="post" x="y"/>',
    /\[mdx\.component\] <Cite> takes an id/,
  ],
  [
    'a component with an expression for an id',
    INDEX,
    '<Cite id="post"/>',
    '<Cite id={post}/>',
    /\[mdx\.component\] <Cite> takes an id/,
  ],
  [
    'a claim inside a line',
    INDEX,
    '<Claim id="total"/>',
    'See <Claim id="total"/> here.',
    /index\.mdx:19:5 \[mdx\.component\] <Claim> stands inside a line/,
  ],
  [
    'a component in a heading',
    INDEX,
    '## What',
    '## <Fig id="copies_share"/> What',
    /index\.mdx:17:4 \[mdx\.heading\]/,
    /no heading has the id/,
    /stands under/,
  ],
  ['a heading of the first level', INDEX, '## What', '# What', /index\.mdx:17:1 \[mdx\.heading\]/],
  [
    'an unbound number in prose',
    INDEX,
    'Both list',
    'Both of 31 list',
    /index\.mdx:15:9 \[number\.unbound\] "31" is bound to no figure; the nearest is/,
  ],
  [
    'an unbound number in the title',
    INDEX,
    'title: What fixture',
    'title: What 31 fixture',
    /index\.mdx:2:13 \[number\.unbound\]/,
  ],
  [
    'an unbound number in a note',
    INDEX,
    'made for this',
    'made for 31 of these',
    /index\.mdx:10:\d+ \[number\.unbound\]/,
  ],
  [
    'an unbound number in a stat',
    INDEX,
    'tokens of definitions',
    'of 31 tokens',
    /index\.mdx:7:\d+ \[number\.unbound\]/,
  ],
  [
    'an unbound number in why',
    CLAIMS,
    'It is what',
    'It is 31',
    /claims\.yaml:8:14 \[number\.unbound\]/,
  ],
  [
    'an unbound number in a source',
    SOURCES,
    'A made-up post',
    'One of 31 posts',
    /sources\.yaml:9:19 \[number\.unbound\]/,
  ],
  [
    'an unbound number in the skill',
    SKILL,
    'Stop.',
    'Stop after 31.',
    /skill\.md:8:15 \[number\.unbound\]/,
  ],
  ['a comment that excuses no number', INDEX, 'had fifteen', 'had some', /\[number\.reason\]/],
  [
    'a constant without a reason',
    INDEX,
    ', reason: A round size that stands for a window.',
    '',
    /index\.mdx:12:5 \[yaml\.invalid\] constants\.0\.reason/,
  ],
  [
    'an unknown key',
    INDEX,
    'tags:',
    'tag:',
    /index\.mdx:4:\d+ \[yaml\.unknown-key\]|index\.mdx:2:1 \[yaml\.unknown-key\]/,
  ],
  [
    'a key twice',
    CLAIMS,
    '  tier: system',
    '  tier: system\n  tier: system',
    /claims\.yaml:4:3 \[yaml\.syntax\]/,
  ],
  [
    'YAML that is none',
    SOURCES,
    '- id: post',
    '- id: [post',
    /sources\.yaml:\d+:\d+ \[yaml\.syntax\]/,
  ],
  [
    'a byte order mark',
    CLAIMS,
    '- id: total',
    '\uFEFF- id: total',
    /claims\.yaml:1:1 \[text\.bom\]/,
  ],
  [
    'text that is not NFC',
    CLAIMS,
    'Somebody counted',
    'Somebode\u0301 counted',
    /claims\.yaml:11:1 \[text\.nfc\]/,
  ],
  [
    'no front matter',
    SKILL,
    '---\ndescription',
    'description',
    /skill\.md:1:1 \[article\.front-matter\]/,
  ],
  [
    'a symptom of an unknown source',
    SYMPTOMS,
    'source: post',
    'source: pots',
    /symptoms\.yaml:10:11 \[symptom\.source\].*pots/,
  ],
  [
    'a symptom of an unknown claim',
    SYMPTOMS,
    'claims: [total]',
    'claims: [totals]',
    /symptoms\.yaml:11:12 \[symptom\.claim\].*totals/,
  ],
  [
    'a symptom that is reproduced by no capture of the ledger',
    SYMPTOMS,
    '[543c',
    '[643c',
    /symptoms\.yaml:\d+:\d+ \[symptom\.capture\].*643c/,
  ],
  [
    'a symptom without a source that nothing reproduces',
    SYMPTOMS,
    'source: post',
    'source: null',
    /symptoms\.yaml:10:11 \[yaml\.invalid\].*rests on a source, on captures/,
  ],
  [
    'a symptom whose table is never shown',
    SYMPTOMS,
    'table: faults',
    'table: others',
    /symptoms\.yaml:2:10 \[symptom\.unshown\]/,
  ],
  [
    'a symptom table without rows',
    INDEX,
    '<Symptoms id="faults"/>',
    '<Symptoms id="faults"/>\n\n<Symptoms id="none"/>',
    /index\.mdx:31:1 \[symptom\.unknown\].*none/,
  ],
  [
    'a number in a symptom',
    SYMPTOMS,
    'It holds_much.',
    'It holds 31 of `32`.',
    /symptoms\.yaml:4:19 \[number\.unbound\] "31"/,
  ],
  [
    'code in a symptom that does not end',
    SYMPTOMS,
    'It holds_much.',
    'It holds `much.',
    /symptoms\.yaml:4:10 \[yaml\.invalid\].*code that ends/,
  ],
];
for (const [what, path, from, to, ...expected] of CASES) {
  test(`${what} is refused with its place`, async () => {
    const found = await problems(path, from, to);
    assert.equal(found.length, expected.length, found.join('\n') || 'no problem was found');
    for (const [i, pattern] of expected.entries()) {
      assert.ok(
        found.some((text) => pattern.test(text)),
        `${pattern} (${i}) in:\n${found.join('\n')}`,
      );
    }
  });
}

test('the fixture itself has no problem', async () => {
  assert.deepEqual((await load({ root: made.root })).problems, []);
});

test('a figure of a server without a capture says how to capture it', async () => {
  made.edit(INDEX, 'id="servers.all.tools"', 'id="servers.silent.tools"');
  const { problems: found } = await load({ root: made.root });
  made.write(INDEX, FILES[INDEX]!);
  assert.match(
    found.map(String).join('\n'),
    /no figure servers\.silent\.tools .*\n.*npm run refresh/,
  );
});

test('every problem is told, not only the first', async () => {
  made.edit(INDEX, 'Both list', 'Both <Fig id="no.1"/> <Cite id="no"/> 31');
  made.edit(CLAIMS, '{copies_share}', '{no}');
  const { problems: found, articles } = await loadSite({ root: made.root });
  made.write(INDEX, FILES[INDEX]!);
  made.write(CLAIMS, FILES[CLAIMS]!);
  assert.deepEqual(found.map(({ code }) => code).sort(), [
    'figure.unknown',
    'figure.unknown',
    'number.unbound',
    'source.unknown',
  ]);
  assert.equal(articles.length, 1, 'it can still be shown in dev');
});

test('two folders that differ in case alone are one slug too many', async () => {
  for (const [path, text] of Object.entries(FILES)) {
    if (path.startsWith(A)) made.write(path.replace('what-', 'What-'), text);
  }
  const { problems: found } = await load({ root: made.root });
  for (const path of Object.keys(FILES)) {
    if (path.startsWith(A)) made.write(path.replace('what-', 'What-'), null);
  }
  const codes = found.map(({ code }) => code);
  assert.ok(codes.includes('article.slug-twice') && codes.includes('article.slug'), codes.join());
  assert.match(
    found.find(({ code }) => code === 'article.slug-twice')!.toString(),
    /content\/articles\/what-fixtures-cost: has the slug of content\/articles\/What-fixtures-cost/,
  );
});

test('a missing file and one that is no part of an article are named', async () => {
  made.write(SKILL, null);
  made.write(`${A}/claim.yaml`, '');
  const { problems: found } = await load({ root: made.root });
  made.write(SKILL, FILES[SKILL]!);
  made.write(`${A}/claim.yaml`, null);
  assert.deepEqual(
    found.map(({ at, code }) => `${at} ${code}`),
    [`content/${A}/claim.yaml article.file`, `content/${A}/skill.md article.file`],
  );
});

test('servers.yaml is refused with its place', async () => {
  const first = FILES['servers.yaml']!;
  const refused = async (text: string) => {
    made.write('servers.yaml', text);
    try {
      return await load({ root: made.root }).then(() => 'accepted', String);
    } finally {
      made.write('servers.yaml', first);
    }
  };
  assert.match(
    await refused(first.replace('1.0.0', '^1.0.0')),
    /servers\.yaml:1:51: .*exact version/,
  );
  assert.match(
    await refused(first.replace('copies', 'small')),
    /servers\.yaml:2:11: .*two servers/,
  );
});
