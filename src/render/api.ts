/**
 * What there is for programs, in one document: the state of the log, every document with its schema,
 * the feeds and the lists for models. Pure; made from the table of addresses.
 */
import { z } from 'zod';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import type { SiteAddress } from '../site.ts';
import { Count, Hash, head, headShape, print, schemaPath, Text, Url } from './published.ts';

const Address = z.strictObject({
  id: Text,
  url: Text.meta({ description: 'A URI template: {name} stands for a part of the path' }),
  type: Text,
  answers: Text,
  schema: Url.nullable(),
});
export const ApiJson = z.strictObject({
  ...headShape('api'),
  name: Text,
  home: Url,
  ledger: z.strictObject({ entries: Count, root: Hash, head: Hash.nullable() }),
  openapi: Url,
  directory: Url,
  llms: Url,
  skills: Url,
  sitemap: Url,
  documents: z.array(Address).meta({ description: 'JSON' }),
  feeds: z.array(Address).meta({ description: 'Atom' }),
  tables: z.array(Address).meta({ description: 'CSV' }),
  texts: z.array(Address).meta({ description: 'Markdown' }),
});

/** `ledger`: how many entries, the root of their tree, the last leaf. */
export function renderApi(
  ledger: { entries: number; root: string; head: string | null },
  site: SiteAddress,
): string {
  const of = (media: string) =>
    Object.entries(ENDPOINTS as Record<string, Endpoint>)
      .filter(([, { type }]) => type.startsWith(media))
      .map(([id, { path, type, answers, schema }]) => ({
        id,
        url: site.url(path),
        type,
        answers,
        schema: schema === undefined ? null : site.url(schemaPath(schema)),
      }));
  const { entries, root, head: last } = ledger;
  const value: z.infer<typeof ApiJson> = {
    ...head('api', site),
    name: site.name,
    home: site.url('/'),
    ledger: { entries, root, head: last },
    openapi: site.url(ENDPOINTS.openapi.path),
    directory: site.url(ENDPOINTS['directory-json'].path),
    llms: site.url(ENDPOINTS.llms.path),
    skills: site.url(ENDPOINTS['skills-json'].path),
    sitemap: site.url(ENDPOINTS.sitemap.path),
    documents: of('application/json'),
    feeds: of('application/atom+xml'),
    tables: of('text/csv'),
    texts: of('text/markdown'),
  };
  return print(value);
}
