/**
 * Rows as they are stored: lines of canonical JSON, of which the first says what the source means by
 * its numbers. It fails closed: what looks like a secret or tells whose log it is is never stored.
 */
import { z } from 'zod';
import { redact } from '../disk/redact.ts';
import { canonical } from '../ledger/canonical.ts';
import { Problem } from '../problem.ts';
import { CONVENTIONS, type Convention, Row, SOURCES, type Source } from './row.ts';

export const Head = z.strictObject({
  v: z.literal(1),
  kind: z.literal('gateway_log'),
  source: z.enum(SOURCES),
  conventions: z.record(z.string(), z.string()),
});

/** Below this an identifier is a word that may stand anywhere, such as `default`. */
const MIN_IDENTIFIER = 8;

/**
 * The bytes that are hashed. `identifiers`: credentials, accounts and names that must not be in them.
 * Throws Problem `gateway.leak`, and `redact.*`.
 */
export function payloadOf(
  source: Source,
  rows: readonly Row[],
  identifiers: Readonly<Record<string, string>>,
): Uint8Array {
  const used = [...new Set(rows.map(({ convention }) => convention))].sort();
  const head: z.infer<typeof Head> = {
    v: 1,
    kind: 'gateway_log',
    source,
    conventions: Object.fromEntries(used.map((name: Convention) => [name, CONVENTIONS[name]])),
  };
  const lines = [head, ...rows.map((row) => checked(row))].map((line) => `${canonical(line)}\n`);
  const bytes = new TextEncoder().encode(lines.join(''));
  const env = Object.fromEntries(
    Object.entries(identifiers).filter(([, value]) => value.length >= MIN_IDENTIFIER),
  );
  // Nothing of the kind can be in rows of these forms; if something is, a form is too wide.
  const [found] = redact(bytes, { env }).redactions;
  if (found === undefined) return bytes;
  throw new Problem('gateway.leak', `a row holds what rule ${found.rule} forbids`, {
    at: found.pointer,
    mend: 'Nothing was stored. If a model is called as an account or a gateway is, it can’t be told apart.',
  });
}

function checked(row: Row): Row {
  const read = Row.safeParse(row);
  if (read.success) return read.data;
  // The value itself may be what must not be shown.
  const { path, message } = read.error.issues[0] ?? { path: [], message: 'no row' };
  throw new Problem(
    'gateway.leak',
    `a row has not the form of one: ${path.map(String).join('.')}: ${message}`,
    {
      mend: 'Nothing was stored.',
    },
  );
}
