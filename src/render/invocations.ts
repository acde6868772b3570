/**
 * Every attempt to capture what an article shows, run by run: captured, unchanged or failed. Pure; a
 * failure stands beside the others and is never left out.
 */
import { z } from 'zod';
import type { ArticleRecord, AttemptRecord } from '../articles/record.ts';
import type { SiteAddress } from '../site.ts';
import { Count, Hash, head, headShape, print, receipt, Text, Time, Url } from './published.ts';

const OUTCOMES = ['captured', 'unchanged', 'failed'] as const;
export const Outcomes = z.strictObject({ captured: Count, unchanged: Count, failed: Count });
export type Outcomes = z.infer<typeof Outcomes>;
const Attempt = z.strictObject({
  ...receipt,
  outcome: z.enum(OUTCOMES),
  kind: z.enum(['tools_list', 'discover', 'count', 'client_request', 'gateway_log']),
  subject: Text.meta({
    description: 'A server, a tokenizer, a client and its variant, or a source of logs and a name',
  }),
  package: Text.meta({ description: 'Of a log, which is of no package, the method instead' }),
  version: Text,
  sha256: Hash.nullable().meta({ description: 'Of the payload; null where none came' }),
  payload: Url.nullable(),
  failure: z.strictObject({ code: Text, message: Text }).nullable(),
});
const Run = z.strictObject({
  run: Time.meta({ description: 'When the command began that made these attempts' }),
  outcomes: Outcomes,
  attempts: z.array(Attempt),
});
export const InvocationsJson = z.strictObject({
  ...headShape('invocations'),
  article: Text.nullable().meta({ description: 'Its slug; null for the whole site' }),
  outcomes: Outcomes,
  runs: z.array(Run).meta({ description: 'The oldest first' }),
});

/** How many attempts came to what. */
export function outcomesOf(attempts: readonly AttemptRecord[]): Outcomes {
  const count = (wanted: AttemptRecord['outcome']) =>
    attempts.filter(({ outcome }) => outcome === wanted).length;
  return { captured: count('captured'), unchanged: count('unchanged'), failed: count('failed') };
}

/** Attempts by the run that made them, in the order of the ledger. */
export function runsOf(attempts: readonly AttemptRecord[]): Map<string, AttemptRecord[]> {
  return Map.groupBy(attempts, ({ run }) => run);
}

/** The attempts behind one article. */
export function renderInvocations(record: ArticleRecord, site: SiteAddress): string {
  return document(record.slug, record.attempts, site);
}

/** Every attempt that the ledger holds. */
export function renderSiteInvocations(
  attempts: readonly AttemptRecord[],
  site: SiteAddress,
): string {
  return document(null, attempts, site);
}

function document(
  article: string | null,
  attempts: readonly AttemptRecord[],
  site: SiteAddress,
): string {
  const value: z.infer<typeof InvocationsJson> = {
    ...head('invocations', site),
    article,
    outcomes: outcomesOf(attempts),
    runs: [...runsOf(attempts)].map(([run, own]) => ({
      run,
      outcomes: outcomesOf(own),
      attempts: own.map((attempt) => ({
        seq: attempt.seq,
        leaf: attempt.leaf,
        ts: attempt.ts,
        outcome: attempt.outcome,
        kind: attempt.kind,
        subject: attempt.subject,
        package: attempt.package,
        version: attempt.version,
        sha256: attempt.sha256,
        payload:
          attempt.sha256 === null
            ? null
            : site.url(`/ledger/blobs/sha256/${attempt.sha256.slice(0, 2)}/${attempt.sha256}`),
        failure: attempt.failure,
      })),
    })),
  };
  return print(value);
}
