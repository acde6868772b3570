/**
 * What `weigh` found, for a person at a terminal. Pure; shows nothing captured that has not been
 * made printable.
 */
import { WINDOW, windowShare } from '../measure/context.ts';
import type { Report, ServerReport } from '../measure/report.ts';
import { counted, number } from './counted.ts';
import { printable } from './printable.ts';
import { beside, gate } from './report-beside.ts';
import { renderBill } from './report-bill.ts';
import { renderSkills } from './report-skills.ts';
import { percent, sections, table } from './report-table.ts';

/** How many repeated blocks are listed; the others are counted. */
const BLOCKS_SHOWN = 10;

/** The report as lines of plain text, `\n` at the end. */
export function renderReport(report: Report): string {
  if (report.kind === 'bill') return renderBill(report);
  if (report.kind === 'skills') return renderSkills(report);
  return sections(
    head(report),
    split(report),
    tools(report),
    beside(report, report.tokens.total),
    repeats(report),
    slim(report),
    gate(report.gate),
    warnings(report.warnings),
  );
}

function head(report: ServerReport): string[] {
  const { server, tools, tokens, bytes, shape, tokenizer, protocol } = report;
  return [
    `${printable(server)}: ${counted(tools, 'tool')}, ${counted(tokens.total, 'token')}, ${counted(bytes, 'byte')}`,
    `  ${percent(windowShare(tokens.total))} of a ${number(WINDOW)}-token window`,
    `  counted in ${tokenizer} over compact JSON in the ${shape} shape`,
    ...(shape === 'raw'
      ? []
      : [`  each tool as mcp__${printable(server)}__TOOL; --name weighs it under another name`]),
    protocol === null
      ? '  read from a file'
      : `  protocol ${printable(protocol.negotiated)} (asked for ${protocol.requested})`,
  ];
}

function split({ tokens }: ServerReport): string[] {
  const rows = (['schema', 'description', 'name', 'punctuation'] as const).map((part) => [
    part,
    number(tokens[part]),
    tokens.total === 0 ? '' : percent((100 * tokens[part]) / tokens.total),
  ]);
  return table([['where they are', 'tokens', 'share'], ...rows]);
}

function tools({ perTool }: ServerReport): string[] {
  if (perTool.length === 0) return [];
  const rows = perTool.map((tool) => [
    printable(tool.name),
    number(tool.total),
    number(tool.schema_tokens),
    number(tool.description_tokens),
    number(tool.name_tokens),
  ]);
  return table([['tool', 'tokens', 'schema', 'description', 'name'], ...rows]);
}

function repeats({ duplicates, bytes }: ServerReport): string[] {
  const { blocks, redundantBytes, defs } = duplicates;
  if (blocks.length === 0 && defs.copies === 0) return ['no repeated blocks'];
  const lines = [
    `repeated blocks: without the copies ${counted(redundantBytes, 'byte')} less (${percent((100 * redundantBytes) / bytes)})`,
  ];
  if (blocks.length > 0) {
    const rows = blocks
      .slice(0, BLOCKS_SHOWN)
      .map((block) => [
        printable(block.path),
        number(block.copies),
        number(block.bytes),
        number((block.copies - 1) * block.bytes),
      ]);
    lines.push(...table([['first place', 'copies', 'bytes', 'saves'], ...rows]));
  }
  if (blocks.length > BLOCKS_SHOWN) {
    lines.push(`  and ${number(blocks.length - BLOCKS_SHOWN)} more (--json lists them)`);
  }
  if (defs.copies > 0) {
    lines.push(
      `  $defs: ${counted(defs.names.length, 'name')} in ${counted(defs.copies, 'tool')}, ${counted(defs.redundantBytes, 'byte')} repeated`,
      `  with each emptied the schemas go from ${number(defs.schemaTokens)} to ${counted(defs.schemaTokensWithout, 'token')}`,
    );
  }
  return lines;
}

function slim({ slim: made }: ServerReport): string[] {
  if (made === undefined) return [];
  const { before, pruned, after, dropped, hoisted } = made;
  const share = (tokens: number) =>
    before === 0 ? '' : ` (${percent((100 * (before - tokens)) / before)} less)`;
  const lines = [
    `wrote ${printable(made.file)}: ${number(before)} → ${counted(after, 'token')}${share(after)}`,
    `  ${counted(dropped, 'definition')} dropped that nothing refers to: ${counted(pruned, 'token')}${share(pruned)}`,
    `  ${counted(hoisted, 'repeated part')} hoisted into the $defs of their own schema`,
  ];
  const names = made.newly_referring.map(printable).join(', ');
  if (names !== '') {
    lines.push(
      `warning: a client that does not resolve $ref misreads what used none before: ${names} [slim-refs]`,
    );
  }
  if (made.untouched.length > 0) {
    const left = made.untouched.map(printable).join(', ');
    lines.push(
      `warning: left as they were, too large or not safe to move: ${left} [slim-untouched]`,
    );
  }
  return lines;
}

function warnings(all: ServerReport['warnings']): string[] {
  return all.map(({ code, message }) => `warning: ${printable(message)} [${code}]`);
}
