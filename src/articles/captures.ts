/**
 * From the fold to weighed servers: the latest payload of each version that servers.yaml names, and
 * what failed. Pure but for the given blob reader; a payload is weighed once, however often asked.
 */
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

const weighed = new Map<string, Pick<WeighedServer, 'tools' | 'weight'>>();

/** Weighs what the ledger holds. `blob` gives a payload's bytes by SHA-256, and throws when it can't. */
export function weighCaptures(
  fold: Fold,
  blob: (sha256: string) => Uint8Array,
  wanted: readonly ServerContent[],
): Captured {
  const servers: WeighedServer[] = [];
  const captures = new Map<string, CaptureRecord>();
  const failures: ArticleRecord['failures'] = [];
  for (const { name, package: pkg, version } of wanted) {
    const standing = fold.captures.get(captureKey(name, version));
    if (standing === undefined) continue;
    const { latest, captured } = standing;
    const { failure } = latest.entry.body;
    if (failure !== null) {
      failures.push({
        server: name,
        package: pkg,
        version,
        code: failure.code,
        message: failure.message,
        captured: captured !== null,
        receipt: receipt(latest),
      });
    }
    const { answer, blob: payload, package: installed } = captured?.entry.body ?? {};
    if (!captured || !answer || !payload || !installed) continue;
    const key = `${name} ${payload.sha256}`;
    let measured = weighed.get(key);
    if (measured === undefined) {
      const tools = parsePayload(blob(payload.sha256));
      measured = {
        tools,
        weight: weigh(tools, { shape: 'anthropic', server: name, tokenizer: o200k() }),
      };
      weighed.set(key, measured);
    }
    servers.push({
      name,
      package: pkg,
      version,
      leaf: captured.leaf,
      sha256: payload.sha256,
      protocol: answer.protocol_negotiated,
      sameOrder: answer.same_order,
      sameBytes: answer.same_bytes,
      ...measured,
    });
    captures.set(captured.leaf, {
      ...receipt(captured),
      server: name,
      package: pkg,
      version,
      integrity: installed.integrity,
      sha256: payload.sha256,
      bytes: payload.bytes,
      tools: answer.tools,
      protocol: answer.protocol_negotiated,
    });
  }
  return { servers, captures, failures };
}

function receipt({ seq, leaf, ts }: Receipt): Receipt {
  return { seq, leaf, ts };
}
