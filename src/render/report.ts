/**
 * What `weigh` found, for a person at a terminal. Pure; shows nothing captured that has not been
 * made printable.
 */
import { WINDOW, windowShare } from '../measure/context.ts';
import { format } from '../measure/figure.ts';
import type { Weight } from '../measure/weigh.ts';
import { printable } from './printable.ts';

/** All that `weigh --json` prints. */
export interface WeighReport extends Weight {
  server: string;
  protocol: { requested: string; negotiated: string };
  warnings: { code: string; message: string }[];
}

/** How many repeated blocks are listed; the others are counted. */
const BLOCKS_SHOWN = 10;

/** The report as lines of plain text, `\n` at the end. */
export function renderReport(report: WeighReport): string {
  const sections = [head(report), split(report), tools(report), repeats(report), warnings(report)];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function head({ server, tools, tokens, bytes, shape, tokenizer, protocol }: WeighReport): string[] {
  return [
    `${printable(server)}: ${counted(tools, 'tool')}, ${counted(tokens.total, 'token')}, ${counted(bytes, 'byte')}`,
    `  ${percent(windowShare(tokens.total))} of a ${number(WINDOW)}-token window`,
    `  counted in ${tokenizer} over compact JSON in the ${shape} shape`,
    `  protocol ${printable(protocol.negotiated)} (asked for ${protocol.requested})`,
  ];
}

function split({ tokens }: WeighReport): string[] {
  const rows = (['schema', 'description', 'name', 'punctuation'] as const).map((part) => [
    part,
    number(tokens[part]),
    tokens.total === 0 ? '' : percent((100 * tokens[part]) / tokens.total),
  ]);
  return table([['where they are', 'tokens', 'share'], ...rows]);
}

function tools({ perTool }: WeighReport): string[] {
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

function repeats({ duplicates, bytes }: WeighReport): string[] {
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

function warnings({ warnings }: WeighReport): string[] {
  return warnings.map(({ code, message }) => `warning: ${printable(message)} [${code}]`);
}

/** The first column to the left, the others to the right, two spaces between. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => Array.from(row[column]!).length)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const space = ' '.repeat(widths[column]! - Array.from(cell).length);
      return column === 0 ? cell + space : space + cell;
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

function number(value: number): string {
  return format({ value, decimals: 0, unit: '' });
}

function percent(value: number): string {
  return format({ value, decimals: 1, unit: '%' });
}

function counted(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}
