/**
 * ClientRecords -> JSON for programs. Pure; it shows what the records hold, and of a request no text.
 */
import { z } from 'zod';
import { Price } from '../articles/prices.ts';
import { ClientRequestBody } from '../ledger/entry.ts';
import { requestId } from '../measure/request.ts';
import type { SiteAddress } from '../site.ts';
import { Setting, Variant } from '../wire/clients.ts';
import { again, type ClientRecord, type SettingRecord } from '../wire/held.ts';
import { clientForms, defaults, LOADINGS, RERUN } from './clients.ts';
import { FigureShape, figureIn } from './figure.ts';
import { Count, Hash, head, headShape, print, receipt, Text, Url } from './published.ts';

const LoadingName = z.enum(Object.keys(LOADINGS) as (keyof typeof LOADINGS)[]);
const Urls = z.record(Text, Url);
const Defaults = z
  .array(z.strictObject({ loading: LoadingName, from: Text, to: Text }))
  .meta({ description: 'What the client does by default, by ranges of its versions' });
const { package: Package, recipe, answer } = ClientRequestBody.shape;
const { node, platform, isolation } = recipe.shape;
const { api, endpoint } = answer.unwrap().shape;

export const ClientsJson = z.strictObject({
  ...headShape('clients'),
  clients: z.array(
    z.strictObject({
      name: Text,
      package: Text,
      versions: z.array(Text),
      captures: Count,
      failures: Count,
      defaults: Defaults,
      urls: Urls,
    }),
  ),
  settings: z.array(
    z.strictObject({
      ...Setting.shape,
      reproduced: z.enum(['yes', 'in part', 'no', 'not tried']),
      seen: z.array(z.strictObject({ run: Text, leaf: Hash, seq: Count, agrees: z.boolean() })),
    }),
  ),
  prices: z.array(Price),
});

export const ClientJson = z.strictObject({
  ...headShape('client'),
  name: Text,
  package: Text,
  licence: Text,
  why: Text.nullable(),
  urls: Urls,
  versions: z.array(Text),
  defaults: Defaults,
  recount: Text,
  captures: z.array(
    z.strictObject({
      run: Text,
      version: Text,
      variant: Text,
      loading: LoadingName,
      package: Package,
      servers: z.array(Text),
      varied: Variant.nullable(),
      node,
      platform,
      isolation,
      api,
      endpoint,
      model: Text.nullable(),
      again: Text,
      sha256: Hash,
      receipt: z.strictObject(receipt),
    }),
  ),
  failures: z.array(
    z.strictObject({
      version: Text,
      variant: Text,
      code: Text,
      message: Text,
      captured: z.boolean(),
      receipt: z.strictObject(receipt),
    }),
  ),
  figures: z.array(FigureShape),
});

/** All clients, the settings and the prices, for programs. */
export function renderClientsJson(
  clients: readonly ClientRecord[],
  settings: readonly SettingRecord[],
  prices: readonly Price[],
  site: SiteAddress,
): string {
  const value: z.infer<typeof ClientsJson> = {
    ...head('clients', site),
    clients: clients.map((client) => ({
      name: client.name,
      package: client.package,
      versions: client.versions,
      captures: client.captures.length,
      failures: client.failures.length,
      defaults: defaults(client),
      urls: urls(client.name, site),
    })),
    settings: settings.map(({ seen, ...setting }) => ({
      ...setting,
      seen: seen.map(({ capture, agrees }) => ({
        run: requestId(capture),
        leaf: capture.leaf,
        seq: capture.seq,
        agrees,
      })),
    })),
    prices: [...prices],
  };
  return print(value);
}

/** One client, whole: each run with its recipe and receipt, each figure with its method and inputs. */
export function renderClientJson(client: ClientRecord, site: SiteAddress): string {
  const forms = urls(client.name, site);
  const value: z.infer<typeof ClientJson> = {
    ...head('client', site),
    name: client.name,
    package: client.package,
    licence: client.licence,
    why: client.why,
    urls: forms,
    versions: client.versions,
    defaults: defaults(client),
    recount: RERUN,
    captures: client.captures.map((one) => ({
      run: requestId(one),
      version: one.version,
      variant: one.variant,
      loading: one.loading,
      package: one.package,
      // Its command line and environment hold paths, which are no links; they stand in the entry.
      servers: [...one.servers],
      varied: client.variants.find(({ name }) => name === one.variant) ?? null,
      node: one.recipe.node,
      platform: one.recipe.platform,
      isolation: one.recipe.isolation,
      api: one.api,
      endpoint: one.endpoint,
      model: one.digest.model,
      again: again(one),
      sha256: one.sha256,
      receipt: { seq: one.seq, leaf: one.leaf, ts: one.ts },
    })),
    failures: client.failures,
    figures: client.figures.map((figure) => figureIn(figure, forms['page']!)),
  };
  return print(value);
}

function urls(name: string, site: SiteAddress): Record<string, string> {
  return Object.fromEntries(
    Object.entries(clientForms(name)).map(([form, path]) => [form, site.url(path)]),
  );
}
