/** All that a client is configured with, ranked. Pure; shows nothing captured that is not made printable. */
import { WINDOW, windowShare } from '../measure/context.ts';
import type { BillReport } from '../measure/report.ts';
import { counted, number } from './counted.ts';
import { printable } from './printable.ts';
import { beside, gate } from './report-beside.ts';
import { percent, sections, table } from './report-table.ts';

/** How many collisions are listed; the others are counted. */
const COLLISIONS_SHOWN = 12;

export function renderBill(report: BillReport): string {
  return sections(
    head(report),
    servers(report),
    failures(report),
    leftOut(report),
    collisions(report),
    beside(report, report.totals.upfront),
    gate(report.gate),
    warnings(report),
  );
}

function head({ file, servers, totals, shape, tokenizer }: BillReport): string[] {
  const { upfront, deferred } = totals;
  const saved = upfront === 0 ? '' : `, ${percent((100 * (upfront - deferred)) / upfront)} less`;
  return [
    `${printable(file)}: ${counted(servers.length, 'server')}, ${counted(totals.tools, 'tool')}`,
    `  upfront   ${counted(upfront, 'token')}, ${percent(windowShare(upfront))} of a ${number(WINDOW)}-token window`,
    `  deferred  ${counted(deferred, 'token')} of names alone${saved}`,
    `  counted in ${tokenizer} over compact JSON in the ${shape} shape`,
    ...(shape === 'raw' ? [] : ['  each tool as mcp__SERVER__TOOL, by the names below']),
  ];
}

function servers({ servers, totals }: BillReport): string[] {
  if (servers.length === 0) return [];
  const rows = servers.map((one) => [
    printable(one.server),
    number(one.tools),
    number(one.tokens),
    totals.upfront === 0 ? '' : percent((100 * one.tokens) / totals.upfront),
    number(one.name_tokens),
    one.largest === null ? '' : `${printable(one.largest.tool)} ${number(one.largest.tokens)}`,
  ]);
  return table([['server', 'tools', 'tokens', 'share', 'names', 'largest tool'], ...rows]);
}

function failures({ failed }: BillReport): string[] {
  return failed.flatMap(({ server, code, message, mend, at }) => [
    `failed: ${printable(server)} (${printable(at)}): ${printable(message)} [${code}]`,
    ...(mend === null ? [] : [`  ${printable(mend)}`]),
  ]);
}

function leftOut({ left_out }: BillReport): string[] {
  return left_out.map(
    ({ server, why, at }) =>
      `not counted: ${printable(server)} (${printable(at)}): ${printable(why)}`,
  );
}

const KINDS = {
  sent: 'are sent under one name',
  same: 'have one name, told apart by the prefix alone',
  alike: 'differ only in case, -, _ or .',
} as const;

function collisions({ collisions }: BillReport): string[] {
  if (collisions.length === 0) return [];
  const lines = collisions.slice(0, COLLISIONS_SHOWN).map(({ kind, name, tools }) => {
    const where = tools.map(({ server, tool }) =>
      printable(tool === name ? server : `${server} (${tool})`),
    );
    return `  ${printable(name)}: ${where.join(', ')} ${KINDS[kind]}`;
  });
  const rest = collisions.length - COLLISIONS_SHOWN;
  if (rest > 0) lines.push(`  and ${number(rest)} more (--json lists them)`);
  return ['names that collide across servers:', ...lines];
}

function warnings({ warnings, servers }: BillReport): string[] {
  const own = warnings.map(({ code, message }) => `warning: ${printable(message)} [${code}]`);
  const each = servers
    .filter((one) => one.warnings.length > 0)
    .map((one) => {
      const codes = [...new Set(one.warnings.map(({ code }) => code))].join(', ');
      return `warning: ${printable(one.server)}: ${counted(one.warnings.length, 'finding')} (${codes}); --json tells them`;
    });
  return [...own, ...each];
}
