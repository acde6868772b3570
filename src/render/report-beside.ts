/**
 * What `weigh` tells beside a weight: other tokenizers, the rendered prompt, memory, the gate. Pure;
 * shows nothing captured that has not been made printable.
 */
import type { ServerReport } from '../measure/report.ts';
import { counted, number } from './counted.ts';
import { printable } from './printable.ts';
import { memory, percent, signed, table } from './report-table.ts';

type Beside = Pick<ServerReport, 'tokenizers' | 'rendered' | 'memory'>;

/** Other ways of counting the same; `total` in tokens of the first. */
export function beside({ tokenizers, rendered, memory: held }: Beside, total: number): string[] {
  const lines: string[] = [];
  if (tokenizers !== undefined) {
    const rows = tokenizers.map(({ tokenizer, tokens }, i) => [
      tokenizer,
      number(tokens),
      i === 0 || total === 0 ? '' : percent((100 * (tokens - total)) / total),
    ]);
    lines.push(...table([['tokenizer', 'tokens', 'more'], ...rows]));
  }
  if (rendered !== undefined) {
    const { template, prompt_tokens, empty_tokens } = rendered;
    lines.push(
      `rendered through the chat template of ${template}: ${counted(prompt_tokens, 'prompt token')}, ${number(empty_tokens)} without tools`,
    );
  }
  if (held !== undefined) {
    lines.push(
      `key-value cache: ${memory(held.reserved_bytes)} reserved for ${counted(held.tokens, 'token')}`,
      `  ${held.attention_layers} attention layers × ${held.kv_heads} heads × ${held.head_dim} × 2 × ${counted(held.bytes_per_number, 'byte')}, in steps of ${counted(held.step_tokens, 'token')}`,
      ...(held.source === null ? [] : [`  as published by ${held.source}`]),
    );
  }
  return lines;
}

const VERBS = {
  added: 'is new',
  removed: 'is gone',
  grew: 'grew',
  shrank: 'shrank',
  changed: 'changed without growing',
} as const;

/** What the gate found, tool by tool, and whether it holds. */
export function gate(found: ServerReport['gate']): string[] {
  if (found === undefined) return [];
  const { baseline, written, broken, before, after, servers } = found;
  const lines: string[] = [];
  if (before !== null) {
    const share = before === 0 ? '' : `, ${percent((100 * (after - before)) / before)}`;
    lines.push(
      `against ${printable(baseline ?? '')}: ${number(before)} → ${counted(after, 'token')} (${signed(after - before)}${share})`,
    );
    if (servers.length === 0) lines.push('  nothing changed');
  }
  for (const { server, changes, reordered, ...size } of servers) {
    const name = printable(server);
    if (size.before === null) {
      lines.push(`  ${name} is new: ${counted(size.after ?? 0, 'token')}`);
      continue;
    }
    if (size.after === null) {
      lines.push(`  ${name} is gone: ${counted(size.before, 'token')} less`);
      continue;
    }
    for (const { tool, change, before: was, after: is } of changes) {
      const sizes =
        was === null || is === null || was === is
          ? counted(is ?? was ?? 0, 'token')
          : `${number(was)} → ${counted(is, 'token')} (${signed(is - was)})`;
      lines.push(`  ${name}: ${printable(tool)} ${VERBS[change]}: ${sizes}`);
    }
    if (reordered) {
      lines.push(`  ${name}: its tools stand in another order, which empties prompt caches`);
    }
  }
  for (const { rule, found: is, allowed } of broken) {
    lines.push(
      rule === 'max-growth'
        ? `REFUSED: it grew by ${counted(is, 'token')}, and ${number(allowed)} are allowed [max-growth]`
        : rule === 'max-tokens'
          ? `REFUSED: ${counted(is, 'token')}, and ${number(allowed)} are allowed [max-tokens]`
          : `REFUSED: ${counted(is, 'difference')} from a frozen baseline [frozen]`,
    );
  }
  if (written) lines.push(`wrote ${printable(baseline ?? '')}`);
  else {
    const limits = new Set(broken.map(({ rule }) => rule));
    if (limits.delete('max-tokens')) lines.push('  If this is meant, raise --max-tokens.');
    if (limits.size > 0) {
      lines.push('  If this is meant, agree to it with --write and commit the lock file.');
    }
  }
  return lines;
}
