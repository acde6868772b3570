/**
 * From the fold to weighed servers: the latest payload of each version that servers.yaml names, and
 * what failed. Pure but for the given blob reader; a payload is weighed once, however often asked.
 */
import type { ToolsListBody } from '../ledger/entry.ts';
import { captureKey, type Fold, type Receipt } from '../ledger/fold.ts';
import type { WeighedServer } from '../measure/figure.ts';
import { o200k } from '../measure/o200k.ts';
import { parsePayload } from '../measure/payload.ts';
import { weigh } from '../measure/weigh.ts';
import type { ArticleRecord, CaptureRecord } from './record.ts';
import type { ServerContent } from './servers.ts';

export interface Captured {
  servers: WeighedServer[];
  /** By leaf. */
  captures: ReadonlyMap<string, CaptureRecord>;
  failures: ArticleRecord['failures'];
}

/** The code of a failure that is ours: there was a payload, and it is no longer kept. */
export const REDACTED = 'blob.redacted';

/** One wanted release as the ledger holds it. */
interface Held {
  wanted: ServerContent;
  /** Why the last attempt failed, if it did. */
  failure: ArticleRecord['failures'][number] | null;
  /** The last payload that came, if ever one did. */
  capture: (CaptureRecord & { protocol: string }) | null;
  answer: ToolsListBody['answer'];
}

/** What the ledger holds of each that is wanted, in the same order; one never tried is left out. */
export function heldReleases(fold: Fold, wanted: readonly ServerContent[]): Held[] {
  return wanted.flatMap((content) => {
    const { name: server, package: pkg, version } = content;
    const standing = fold.captures.get(captureKey(server, version));
    if (standing === undefined) return [];
    const { latest } = standing;
    // What is no longer kept can be derived from no more: it counts as not measured, and says why.
    const gone = fold.redacted.get(standing.captured?.entry.body.blob?.sha256 ?? '');
    const captured = gone === undefined ? standing.captured : null;
    const { failure } = latest.entry.body;
    const { answer = null, blob, package: installed } = captured?.entry.body ?? {};
    const about = { server, package: pkg, version };
    return {
      wanted: content,
      failure:
        gone !== undefined
          ? {
              ...about,
              code: REDACTED,
              message: `its payload was redacted: ${gone.entry.body.reason}`,
              captured: false,
              receipt: receipt(gone),
            }
          : failure && {
              ...about,
              code: failure.code,
              message: failure.message,
              captured: captured !== null,
              receipt: receipt(latest),
            },
      capture:
        captured && answer && blob && installed
          ? {
              kind: 'tools_list',
              ...receipt(captured),
              ...about,
              integrity: installed.integrity,
              sha256: blob.sha256,
              bytes: blob.bytes,
              tools: answer.tools,
              protocol: answer.protocol_negotiated,
              rerun: null,
            }
          : null,
      answer,
    };
  });
}

const weighed = new Map<string, Pick<WeighedServer, 'tools' | 'weight'>>();

/** Weighs what the ledger holds. `blob` gives a payload's bytes by SHA-256, and throws when it can't. */
export function weighCaptures(
  fold: Fold,
  blob: (sha256: string) => Uint8Array,
  wanted: readonly ServerContent[],
): Captured {
  const held = heldReleases(fold, wanted);
  const servers = held.flatMap(({ wanted: { name, package: pkg, version }, capture, answer }) => {
    if (capture === null || answer === null) return [];
    const { leaf, sha256, protocol } = capture;
    const key = `${name} ${sha256}`;
    let measured = weighed.get(key);
    if (measured === undefined) {
      const tools = parsePayload(blob(sha256));
      measured = {
        tools,
        weight: weigh(tools, { shape: 'anthropic', server: name, tokenizer: o200k() }),
      };
      weighed.set(key, measured);
    }
    const { same_order: sameOrder, same_bytes: sameBytes } = answer;
    const about = { name, package: pkg, version, leaf, sha256, protocol };
    return { ...about, sameOrder, sameBytes, ...measured };
  });
  return {
    servers,
    captures: new Map(held.flatMap(({ capture }) => (capture ? [[capture.leaf, capture]] : []))),
    failures: held.flatMap(({ failure }) => failure ?? []),
  };
}

function receipt({ seq, leaf, ts }: Receipt): Receipt {
  return { seq, leaf, ts };
}
