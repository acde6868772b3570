/**
 * From the fold to what the site shows of clients: the latest digest of each run that clients.yaml
 * names, its figures, and which settings were seen to do what is said of them. Pure but for the given
 * blob reader; it must never call a setting reproduced without a capture that shows it.
 */
import type { Price } from '../articles/prices.ts';
import type { CaptureRecord, FigureRecord, Receipt } from '../articles/record.ts';
import type { ClientRequestBody } from '../ledger/entry.ts';
import { type Fold, requestKey } from '../ledger/fold.ts';
import { decimal, format } from '../measure/figure.ts';
import {
  type CachePrice,
  cacheBreak,
  type Loading,
  loadingOf,
  requestFigures,
  type SentRequest,
} from '../measure/request.ts';
import { within } from '../measure/versions.ts';
import type { Client, Clients, Setting } from './clients.ts';
import type { RequestDigest } from './digest.ts';
import { readDigest } from './record.ts';

export interface ClientCapture extends Receipt, SentRequest {
  package: ClientRequestBody['package'];
  recipe: ClientRequestBody['recipe'];
  api: NonNullable<ClientRequestBody['answer']>['api'];
  endpoint: string;
  /** SHA-256 of the stored digest, and its bytes. */
  sha256: string;
  bytes: number;
  digest: RequestDigest;
  loading: Loading;
  /** The first tool that is not where the baseline of this version has it; null where none is, or is known. */
  firstChanged: string | null;
}

export interface ClientRecord extends Pick<Client, 'name' | 'package' | 'licence' | 'variants'> {
  why: string | null;
  /** That were captured, the oldest first. */
  versions: string[];
  captures: ClientCapture[];
  /** Runs whose last attempt failed, with whether an earlier one was captured. */
  failures: {
    version: string;
    variant: string;
    code: string;
    message: string;
    captured: boolean;
    receipt: Receipt;
  }[];
  figures: FigureRecord[];
}

/** What a setting was seen to do: in every capture within its versions, in some, in none. */
export interface SettingRecord extends Setting {
  reproduced: 'yes' | 'in part' | 'no' | 'not tried';
  seen: { capture: ClientCapture; agrees: boolean }[];
}

const digests = new Map<string, RequestDigest>();

/** Every client of the file, in its order, with what the ledger holds. `blob` gives a payload by SHA-256. */
export function heldClients(
  fold: Fold,
  blob: (sha256: string) => Uint8Array,
  { clients }: Pick<Clients, 'clients'>,
  prices: readonly Price[],
): ClientRecord[] {
  const digestOf = (sha256: string) => {
    const digest = digests.get(sha256) ?? readDigest(blob(sha256));
    digests.set(sha256, digest);
    return digest;
  };
  return clients.map(({ name, package: from, licence, why = null, versions, variants }) => {
    const standing = versions.flatMap((version) =>
      variants.flatMap(
        (variant) => fold.requests.get(requestKey(name, version, variant.name)) ?? [],
      ),
    );
    const captures = standing.flatMap(({ captured }): ClientCapture[] => {
      const { body } = captured?.entry ?? {};
      if (captured == null || body?.answer == null || body.blob === null) return [];
      const { client, variant, package: installed, recipe, answer } = body;
      const digest = digestOf(body.blob.sha256);
      const sent = { servers: recipe.servers, digest };
      return [
        {
          ...{ seq: captured.seq, leaf: captured.leaf, ts: captured.ts },
          ...{ client, version: installed.version, variant, package: installed, recipe },
          ...{ api: answer.api, endpoint: answer.endpoint, sha256: body.blob.sha256 },
          bytes: body.blob.bytes,
          ...sent,
          loading: loadingOf(sent).loading,
          firstChanged: null,
        },
      ];
    });
    const baselines = new Map(
      captures.flatMap((one) => (one.variant === 'baseline' ? [[one.version, one]] : [])),
    );
    const compared = captures.map((one) => {
      const baseline = baselines.get(one.version);
      if (baseline === undefined) return one;
      return { ...one, firstChanged: cacheBreak(baseline.digest, one.digest)?.tool ?? null };
    });
    return {
      ...{ name, package: from, licence, why, variants, captures: compared },
      versions: versions.filter((version) => captures.some((one) => one.version === version)),
      failures: standing.flatMap(({ latest: { entry, ...receipt }, captured }) => {
        const { failure, variant, package: installed } = entry.body;
        if (failure === null) return [];
        const { code, message } = failure;
        const about = { version: installed.version, variant, code, message };
        return [{ ...about, captured: captured !== null, receipt }];
      }),
      figures: requestFigures(captures, ({ client, version, variant }) =>
        priceOf(
          captures.find(
            (one) => one.client === client && one.version === version && one.variant === variant,
          )?.digest.model ?? null,
          prices,
        ),
      ).map((figure) => ({ ...figure, text: format(figure), decimal: decimal(figure) })),
    };
  });
}

/** What runs it again; it records nothing. */
export const again = ({
  client,
  version,
  variant,
}: Pick<SentRequest, 'client' | 'version' | 'variant'>): string =>
  `npm run wire -- --only ${client}@${version}/${variant} --dry-run`;

/** The captures as articles show them, by leaf. */
export function requestCaptures(
  clients: readonly ClientRecord[],
): ReadonlyMap<string, CaptureRecord> {
  const captures = clients.flatMap((client) => client.captures);
  return new Map(
    captures.map((one) => [
      one.leaf,
      {
        kind: 'client_request',
        ...{ seq: one.seq, leaf: one.leaf, ts: one.ts },
        server: `${one.client}/${one.variant}`,
        package: one.package.name,
        version: one.package.version,
        integrity: one.package.integrity,
        sha256: one.sha256,
        bytes: one.bytes,
        tools: one.digest.tools.count,
        protocol: null,
        rerun: again(one),
      },
    ]),
  );
}

function priceOf(model: string | null, prices: readonly Price[]): CachePrice | null {
  const of = (what: Price['what']) =>
    prices.find((price) => price.model === model && price.what === what)?.value;
  const [write, read] = [of('cache_write_5m'), of('cache_read')];
  return write === undefined || read === undefined
    ? null
    : { write: Number(write), read: Number(read) };
}

/** Judges each setting by the captures within its versions. */
export function judgeSettings(
  settings: readonly Setting[],
  clients: readonly ClientRecord[],
): SettingRecord[] {
  return settings.map((setting) => {
    const captures = clients.find(({ name }) => name === setting.client)?.captures ?? [];
    const seen = captures.flatMap((capture) => {
      const expected = setting.variants[capture.variant];
      if (expected === undefined || !within(capture.version, setting)) return [];
      if (expected !== 'shorter') return [{ capture, agrees: capture.loading === expected }];
      const baseline = captures.find(
        ({ version, variant }) => version === capture.version && variant === 'baseline',
      );
      if (baseline === undefined) return [];
      return [{ capture, agrees: capture.digest.system.bytes < baseline.digest.system.bytes }];
    });
    const agreeing = seen.filter(({ agrees }) => agrees).length;
    const reproduced =
      seen.length === 0
        ? 'not tried'
        : agreeing === seen.length
          ? 'yes'
          : agreeing > 0
            ? 'in part'
            : 'no';
    return { ...setting, reproduced, seen };
  });
}
