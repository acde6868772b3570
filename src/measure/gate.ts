/**
 * Holds a bill of tools against an earlier one and against limits, for CI. Pure: it reads no file,
 * and a baseline that it cannot read is told as such, never passed over.
 */
import { z } from 'zod';
import { type Difference, diffCatalogues } from './diff.ts';

/** Of the form of lock files. One of another version is refused: it may mean something else. */
export const LOCK_VERSION = 1;

const Tokens = z.int().nonnegative();
const MarkShape = z.strictObject({
  name: z.string(),
  tokens: Tokens,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The lock file: what a bill was when it was last agreed to. */
export const Lock = z
  .strictObject({
    lock_version: z.literal(LOCK_VERSION),
    /** `tokens/o200k_base/anthropic/compact@1`: counts by another method are not compared. */
    method: z.string(),
    servers: z.array(
      z.strictObject({
        server: z.string(),
        /** Of the whole array. */
        tokens: Tokens,
        /** In the order listed. */
        tools: z.array(MarkShape),
      }),
    ),
  })
  .refine(({ servers }) => new Set(servers.map(({ server }) => server)).size === servers.length, {
    error: 'a server stands in it twice',
  });
export type Lock = z.infer<typeof Lock>;

/** A lock file's text as a Lock, or why it is none. */
export function readLock(text: string): { lock: Lock } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'not JSON' };
  }
  const { data: head } = z.looseObject({ lock_version: z.unknown().optional() }).safeParse(value);
  if (head !== undefined && head.lock_version !== LOCK_VERSION) {
    const found = head.lock_version === undefined ? 'no version' : `version ${head.lock_version}`;
    return { fault: `${found} of a lock file, where ${LOCK_VERSION} is understood` };
  }
  const { data, error } = Lock.safeParse(value);
  if (data !== undefined) return { lock: data };
  const [issue] = error.issues;
  return { fault: `not a lock file: ${issue?.path.join('.') || 'it'}: ${issue?.message}` };
}

export interface Limits {
  /** How much the whole bill may grow over the baseline, in per cent or in tokens. */
  maxGrowth: { percent: number } | { tokens: number };
  /** The most that the whole bill may be; null: no limit. */
  maxTokens: number | null;
  /** Nothing may differ, not even in size unchanged. */
  frozen: boolean;
}

export interface Verdict {
  ok: boolean;
  /** Rules that do not hold, with what was found and what is allowed, in tokens (`frozen`: in tools). */
  broken: { rule: 'max-growth' | 'max-tokens' | 'frozen'; found: number; allowed: number }[];
  /** Tokens of the whole bill. Null: there is no baseline. */
  before: number | null;
  after: number;
  /** Servers that differ; `before` or `after` null where one bill lacks the server. */
  servers: ({ server: string; before: number | null; after: number | null } & Difference)[];
}

/** Judges `after` by the limits and, where there is one, against the baseline. */
export function judge(before: Lock | null, after: Lock, limits: Limits): Verdict {
  const names = [...after.servers, ...(before?.servers ?? [])].map(({ server }) => server);
  const servers =
    before === null
      ? []
      : [...new Set(names)]
          .map((server) => {
            const was = before.servers.find((one) => one.server === server);
            const is = after.servers.find((one) => one.server === server);
            return {
              server,
              before: was?.tokens ?? null,
              after: is?.tokens ?? null,
              ...diffCatalogues(was?.tools ?? [], is?.tools ?? []),
            };
          })
          .filter((one) => one.changes.length > 0 || one.reordered || one.before !== one.after);
  const was = before === null ? null : total(before);
  const is = total(after);
  const broken: Verdict['broken'] = [];
  if (was !== null) {
    const { maxGrowth } = limits;
    const allowed =
      'percent' in maxGrowth ? Math.floor((was * maxGrowth.percent) / 100) : maxGrowth.tokens;
    if (is - was > allowed) broken.push({ rule: 'max-growth', found: is - was, allowed });
  }
  if (limits.maxTokens !== null && is > limits.maxTokens) {
    broken.push({ rule: 'max-tokens', found: is, allowed: limits.maxTokens });
  }
  if (limits.frozen && servers.length > 0) {
    const found = servers.reduce((sum, { changes }) => sum + Math.max(1, changes.length), 0);
    broken.push({ rule: 'frozen', found, allowed: 0 });
  }
  return { ok: broken.length === 0, broken, before: was, after: is, servers };
}

function total({ servers }: Lock): number {
  return servers.reduce((sum, { tokens }) => sum + tokens, 0);
}
