/**
 * The tables of addresses and commands as an OpenAPI 3.1 document, the schemas of all answers in it.
 * Pure; it says nothing that the tables and the schemas do not.
 */
import { z } from 'zod';
import { COMMANDS, VERBS } from '../commands.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import type { SiteAddress } from '../site.ts';
import { directoryForms } from './directory.ts';
import { print, VERSION } from './published.ts';
import { SCHEMAS, type SchemaName } from './schemas.ts';

/** `{list…}` is one parameter too: OpenAPI has no form for several parts of a path. */
const plain = (path: string) => path.replaceAll('…}', '}');

export function renderOpenapi(site: SiteAddress): string {
  const used = new Set<SchemaName>();
  const paths = Object.entries(ENDPOINTS as Record<string, Endpoint>).map(([id, endpoint]) => {
    const { path, answers, type, parts, schema, only } = endpoint;
    if (schema !== undefined) used.add(schema);
    const media =
      schema === undefined ? {} : { schema: { $ref: `#/components/schemas/${schema}` } };
    const operation = {
      operationId: id,
      summary: answers,
      ...(only === undefined ? {} : { description: `There where ${only}.` }),
      externalDocs: { url: site.url(directoryForms(id).page) },
      parameters: Object.entries(parts).map(([name, says]) => ({
        name: name.replace('…', ''),
        in: 'path',
        required: true,
        description: says,
        schema: { type: 'string' },
      })),
      responses: {
        200: { description: answers, content: { [type.split(';')[0]!]: media } },
        ...(Object.keys(parts).length === 0
          ? {}
          : { 404: { description: 'there is nothing of that name' } }),
      },
    };
    return [plain(path), { get: operation }] as const;
  });
  const schemas = [...used].sort().map((name) => {
    const { $schema: _, ...schema } = z.toJSONSchema(SCHEMAS[name][1], { io: 'input' });
    // What recurs in a schema is named from the document's own root, of which it is now a part.
    const placed = JSON.stringify(schema).replaceAll(
      '"$ref":"#/$defs/',
      `"$ref":"#/components/schemas/${name}/$defs/`,
    );
    return [name, { title: SCHEMAS[name][0], ...(JSON.parse(placed) as object) }] as const;
  });
  return print({
    openapi: '3.1.1',
    info: {
      title: site.name,
      version: String(VERSION),
      summary: 'What MCP tool definitions cost, with a receipt for every number',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url('') }],
    security: [],
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
    'x-commands': VERBS.map((verb) => ({
      name: `weighbridge ${verb}`,
      summary: COMMANDS[verb].summary,
      documentation: site.url(directoryForms(verb).json),
    })),
  });
}
