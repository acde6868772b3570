/** From the fold to what each server that servers.yaml names answered to `server/discover`. Pure. */
import { captureKey, type Fold } from '../ledger/fold.ts';
import type { Discovered } from '../measure/eras.ts';
import type { CaptureRecord } from './record.ts';
import type { ServerContent } from './servers.ts';

/** The latest answers, in the order of `wanted`; of one that gave none there is nothing here. */
export function heldDiscoveries(
  fold: Fold,
  wanted: readonly ServerContent[],
): { discovered: Discovered[]; captures: ReadonlyMap<string, CaptureRecord> } {
  const held = wanted.flatMap(({ name, version }) => {
    const captured = fold.discoveries.get(captureKey(name, version))?.captured ?? null;
    if (captured === null) return [];
    const { seq, leaf, ts, entry } = captured;
    const { package: pkg, answer, blob } = entry.body;
    if (answer === null || blob === null) return [];
    const { protocol_negotiated: protocol, caching } = answer;
    const capture: CaptureRecord = {
      kind: 'discover',
      ...{ seq, leaf, ts, server: name, tools: null, protocol, rerun: null },
      ...{ package: pkg.name, version: pkg.version, integrity: pkg.integrity },
      ...blob,
    };
    const keeps = caching !== null && caching.list.ttl_ms !== null;
    return { capture, discovered: { server: name, leaf, speaks: protocol !== null, keeps } };
  });
  return {
    discovered: held.map(({ discovered }) => discovered),
    captures: new Map(held.map(({ capture }) => [capture.leaf, capture])),
  };
}
