/**
 * The JSON Schemas of all that is published or written as JSON, made from the zod schemas that the
 * renderers are typed by. Pure.
 */
import { z } from 'zod';
import { Entry } from '../ledger/entry.ts';
import { Lock } from '../measure/gate.ts';
import { Report } from '../measure/report.ts';
import type { SiteAddress } from '../site.ts';
import { ApiJson } from './api.ts';
import { ClientJson, ClientsJson } from './clients-json.ts';
import { DirectoryEntryJson, DirectoryJson } from './directory.ts';
import { EvidenceJson } from './evidence.ts';
import { FigureJson } from './figure.ts';
import { InvocationsJson } from './invocations.ts';
import { ArticleJson, ArticlesJson } from './json.ts';
import { ArticleLedgerJson } from './ledger.ts';
import { ObjectionJson, ObjectionsJson } from './objections.ts';
import { print, schemaPath } from './published.ts';
import { RecipeJson } from './recipe.ts';
import { RevisionsJson } from './revisions.ts';
import { ServerJson } from './server.ts';
import { ServersJson } from './servers.ts';
import { SymptomsJson } from './symptoms.ts';
import { TopologyJson } from './topology.ts';

/** By name: what it describes, and the schema. A published document names its own as `$schema`. */
export const SCHEMAS = {
  article: ['An article with all it rests on', ArticleJson],
  articles: ['The list of articles', ArticlesJson],
  'article-ledger': ['The entries of an article', ArticleLedgerJson],
  'article-weigh': ['By what figures of an article or of servers are derived again', RecipeJson],
  clients: ['What clients put on the wire', ClientsJson],
  client: ['What one client sends', ClientJson],
  figure: ['A figure with its inputs and citation', FigureJson],
  topology: ['What rests on what', TopologyJson],
  revisions: ['Revisions of articles', RevisionsJson],
  invocations: ['Attempts to weigh', InvocationsJson],
  symptoms: ['Symptoms with cause, fix and source', SymptomsJson],
  objections: ['What was objected to an article', ObjectionsJson],
  objection: ['A post that was taken in, with its answer', ObjectionJson],
  evidence: ['The words of evidence', EvidenceJson],
  api: ['What there is for programs', ApiJson],
  directory: ['Commands and addresses', DirectoryJson],
  'directory-entry': ['A command or an address', DirectoryEntryJson],
  servers: ['All weighed servers', ServersJson],
  server: ['A weighed server, tool by tool', ServerJson],
  'ledger-entry': ['A line of the ledger', Entry],
  'weigh-report': ['What `weighbridge weigh --json` prints', Report],
  'weigh-lock': ['The lock file of `weighbridge weigh --baseline`', Lock],
} as const satisfies Record<string, readonly [string, z.core.$ZodType]>;

export type SchemaName = keyof typeof SCHEMAS;
export const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

/** The schema of that name, draft 2020-12. */
export function renderSchema(name: SchemaName, site: SiteAddress): string {
  const [title, schema] = SCHEMAS[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return print({ $schema, $id: site.url(schemaPath(name)), title, ...rest });
}
