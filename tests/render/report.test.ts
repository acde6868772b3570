import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BillReport, ServerReport, SkillsReport } from '../../src/measure/report.ts';
import { printable } from '../../src/render/printable.ts';
import { renderReport } from '../../src/render/report.ts';

const report: ServerReport = {
  kind: 'server',
  server: 'scales',
  protocol: { requested: '2025-11-25', negotiated: '2024-11-05' },
  shape: 'anthropic',
  tokenizer: 'o200k_base',
  tools: 2,
  bytes: 4000,
  tokens: { total: 1500, name: 20, description: 80, schema: 1300, punctuation: 100 },
  perTool: [
    { name: 'weigh', total: 1400, name_tokens: 10, description_tokens: 70, schema_tokens: 1250 },
    { name: 'tare', total: 99, name_tokens: 10, description_tokens: 10, schema_tokens: 50 },
  ],
  duplicates: {
    blocks: [{ path: '/0/input_schema/$defs', copies: 2, bytes: 1200 }],
    redundantBytes: 1200,
    defs: {
      names: ['mass'],
      copies: 2,
      redundantBytes: 1190,
      schemaBytes: 3000,
      schemaTokens: 1302,
      schemaTokensWithout: 500,
    },
  },
  warnings: [{ code: 'name-duplicate', message: 'weigh is listed 2 times' }],
};

test('shows the total, the split, tools by cost, what repeats and the warnings', () => {
  assert.equal(
    renderReport(report),
    `scales: 2 tools, 1,500 tokens, 4,000 bytes
  0.8% of a 200,000-token window
  counted in o200k_base over compact JSON in the anthropic shape
  each tool as mcp__scales__TOOL; --name weighs it under another name
  protocol 2024-11-05 (asked for 2025-11-25)

  where they are  tokens  share
  schema           1,300  86.7%
  description         80   5.3%
  name                20   1.3%
  punctuation        100   6.7%

  tool   tokens  schema  description  name
  weigh   1,400   1,250           70    10
  tare       99      50           10    10

repeated blocks: without the copies 1,200 bytes less (30.0%)
  first place            copies  bytes  saves
  /0/input_schema/$defs       2  1,200  1,200
  $defs: 1 name in 2 tools, 1,190 bytes repeated
  with each emptied the schemas go from 1,302 to 500 tokens

warning: weigh is listed 2 times [name-duplicate]
`,
  );
});

test('leaves out what there is nothing to say about, and counts the blocks it does not list', () => {
  const blocks = Array.from({ length: 13 }, (_, i) => ({ path: `/${i}`, copies: 2, bytes: 64 }));
  const { defs } = report.duplicates;
  const none = { ...defs, names: [], copies: 0, redundantBytes: 0 };
  const many = { ...report, warnings: [], duplicates: { blocks, redundantBytes: 832, defs: none } };
  const text = renderReport(many);
  assert.match(text, /\/9 .*\n {2}and 3 more \(--json lists them\)\n$/);
  assert.doesNotMatch(text, /warning|\$defs/);
  assert.match(
    renderReport({
      ...report,
      tools: 0,
      perTool: [],
      tokens: { total: 0, name: 0, description: 0, schema: 0, punctuation: 0 },
      duplicates: { blocks: [], redundantBytes: 0, defs: none },
    }),
    /\n\nno repeated blocks\n/,
  );
});

test('lets nothing captured colour, move, reorder or hide text on a terminal', () => {
  const hostile = '\u001b[31mred\u0007\r\n\u202egnp\u2066\u200b\u{e0041}\ud800\u0085\u2028';
  const shown = printable(hostile);
  assert.equal(
    shown,
    '\\u{1b}[31mred\\u{7}\\u{d}\\u{a}\\u{202e}gnp\\u{2066}\\u{200b}\\u{e0041}\\u{d800}\\u{85}\\u{2028}',
  );
  const text = renderReport({
    ...report,
    server: hostile,
    protocol: { requested: '2025-11-25', negotiated: hostile },
    perTool: report.perTool.map((tool) => ({ ...tool, name: hostile })),
    duplicates: {
      ...report.duplicates,
      blocks: [{ path: `/0/${hostile}`, copies: 2, bytes: 64 }],
    },
    warnings: [{ code: 'x', message: hostile }],
  });
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  assert.equal(text.split('\n').length, renderReport(report).split('\n').length);
  const count = { tools: 1, tokens: 1, bytes: 1, name_tokens: 1, schema_tokens: 1, list_ms: 1 };
  const warning = { code: 'x', message: hostile };
  const bill: BillReport = {
    kind: 'bill',
    file: hostile,
    client: 'unknown',
    shape: 'anthropic',
    tokenizer: 'o200k_base',
    method: 'm',
    servers: [
      {
        ...count,
        server: hostile,
        protocol: { requested: hostile, negotiated: hostile },
        largest: { tool: hostile, tokens: 1 },
        warnings: [warning],
      },
    ],
    failed: [{ server: hostile, code: 'x', message: hostile, mend: hostile, at: hostile }],
    left_out: [{ server: hostile, why: hostile, at: hostile }],
    collisions: [{ kind: 'same', name: hostile, tools: [{ server: hostile, tool: hostile }] }],
    totals: { tools: 1, bytes: 1, upfront: 1, deferred: 1 },
    gate: {
      ...{ baseline: hostile, written: true, ok: true, broken: [], before: 1, after: 1 },
      servers: [
        {
          ...{ server: hostile, before: 1, after: 1, reordered: true },
          changes: [{ tool: hostile, change: 'changed', before: 1, after: 1 }],
        },
      ],
    },
    warnings: [warning],
  };
  const skills: SkillsReport = {
    ...{ kind: 'skills', folder: hostile, tokenizer: 'o200k_base', method: 'm' },
    skills: [{ name: hostile, path: hostile, resident: 1, body: 1 }],
    failed: [{ path: hostile, code: 'x', message: hostile, mend: hostile }],
    totals: { resident: 1, body: 1 },
    warnings: [warning],
  };
  for (const other of [bill, skills]) {
    assert.doesNotMatch(
      renderReport(other).replaceAll('\n', ''),
      /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
    );
  }
  assert.equal(printable('日本語 é 😀 tab-free'), '日本語 é 😀 tab-free');
});
