/**
 * The tables of addresses and commands as an OpenAPI 3.1 document, the schemas of all answers in it.
 * Pure; it says nothing that the tables and the schemas do not.
 */
import { z } from 'zod';
import { COMMANDS, VERBS } from '../commands.ts';
import { ADDRESSES } from '../endpoints.ts';
import { postSchema } from '../intake/post.ts';
import { RECEIPT } from '../intake/receipt.ts';
import type { SiteAddress } from '../site.ts';
import { directoryForms } from './directory.ts';
import { print, VERSION } from './published.ts';
import { SCHEMAS, type SchemaName } from './schemas.ts';

/** `{list…}` is one parameter too: OpenAPI has no form for several parts of a path. */
const plain = (path: string) => path.replaceAll('…}', '}');

/** Said of a post that is not taken. */
const PROBLEM = {
  description: 'why it was not taken (RFC 9457), with `field` where one is at fault',
  content: { 'application/problem+json': {} },
};

export function renderOpenapi(site: SiteAddress): string {
  const used = new Set<SchemaName>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, endpoint] of Object.entries(ADDRESSES)) {
    const { method, path, answers, type, parts, schema, only, query = {}, takes, keyed } = endpoint;
    if (schema !== undefined) used.add(schema);
    const media = schema ? { $ref: `#/components/schemas/${schema}` } : takes && RECEIPT;
    const parameters = (those: Readonly<Record<string, string>>, where: string) =>
      Object.entries(those).map(([name, says]) => ({
        name: name.replace('…', ''),
        in: where,
        required: true,
        description: says,
        schema: { type: 'string' },
      }));
    const operation = {
      operationId: id,
      summary: answers,
      ...(only === undefined ? {} : { description: `There where ${only}.` }),
      externalDocs: { url: site.url(directoryForms(id).page) },
      ...(keyed ? { security: [{ terminalKey: [] }] } : {}),
      parameters: [...parameters(parts, 'path'), ...parameters(query, 'query')],
      ...(takes === undefined
        ? {}
        : {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: postSchema(takes) } },
            },
          }),
      responses: {
        [takes === undefined ? 200 : 201]: {
          description: answers,
          content: { [type.split(';')[0]!]: media === undefined ? {} : { schema: media } },
        },
        ...(Object.keys(parts).length === 0
          ? {}
          : { 404: { description: 'there is nothing of that name' } }),
        ...(takes === undefined ? {} : { '4XX': PROBLEM }),
      },
    };
    paths[plain(path)] = { ...paths[plain(path)], [method.toLowerCase()]: operation };
  }
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
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      securitySchemes: { terminalKey: { type: 'apiKey', in: 'header', name: 'x-terminal-key' } },
    },
    'x-commands': VERBS.map((verb) => ({
      name: `weighbridge ${verb}`,
      summary: COMMANDS[verb].summary,
      documentation: site.url(directoryForms(verb).json),
    })),
  });
}
