/**
 * Our own commands and addresses, each as JSON and as a skill, from the tables that answer for them.
 * Pure; it says nothing that the tables do not.
 */
import { z } from 'zod';
import { COMMANDS, type Command, VERBS, type Verb } from '../commands.ts';
import { ADDRESSES, type EndpointId, type ServedId } from '../endpoints.ts';
import { postSchema } from '../intake/post.ts';
import type { SiteAddress } from '../site.ts';
import { head, headShape, print, schemaPath, Text, Url } from './published.ts';

const Representations = z.strictObject({ page: Url, json: Url, skill: Url });
const command = {
  id: Text,
  kind: z.literal('command'),
  summary: Text,
  usage: z.array(Text),
};
const endpoint = {
  id: Text,
  kind: z.literal('endpoint'),
  summary: Text,
  method: z.enum(['GET', 'POST']),
  url: Text.meta({ description: 'A URI template: {name} stands for a part of the path' }),
  content_type: Text,
};
export const DirectoryJson = z.strictObject({
  ...headShape('directory'),
  entries: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ ...command, representations: Representations }),
      z.strictObject({ ...endpoint, representations: Representations }),
    ]),
  ),
});
const named = { ...headShape('directory-entry'), representations: Representations };
export const DirectoryEntryJson = z.discriminatedUnion('kind', [
  z.strictObject({
    ...named,
    ...command,
    about: Text,
    npm: Text.meta({ description: 'How it is called in a clone' }),
    options: z.array(
      z.strictObject({ name: Text, value: Text.nullable(), repeats: z.boolean(), says: Text }),
    ),
    exits: z.array(z.strictObject({ code: z.int(), says: Text })),
  }),
  z.strictObject({
    ...named,
    ...endpoint,
    parts: z.array(z.strictObject({ name: Text, says: Text })),
    query: z.array(z.strictObject({ name: Text, says: Text })),
    takes: z.record(Text, z.json()).nullable().meta({ description: 'JSON Schema of a post' }),
    key: Text.nullable().meta({ description: 'The header that the owner’s key is sent in' }),
    schema: Url.nullable(),
    only: Text.nullable().meta({ description: 'When it is there, where that is not always' }),
  }),
]);
export type DirectoryEntry = z.infer<typeof DirectoryEntryJson>;

export type DirectoryId = Verb | EndpointId | ServedId;
/** All ids: verbs first, in the order in which help lists them. */
export const DIRECTORY: readonly DirectoryId[] = [
  ...VERBS,
  ...(Object.keys(ADDRESSES) as (EndpointId | ServedId)[]),
];

/** The list itself. */
export const DIRECTORY_FORMS = { page: '/directory/', json: '/api/directory.json' } as const;

/** Paths of an entry's forms; the folder of a skill is called as the skill is. */
export function directoryForms(id: string): Record<keyof z.infer<typeof Representations>, string> {
  return {
    page: `/directory/${id}/`,
    json: `/api/directory/${id}.json`,
    skill: `/api/directory/${id}/SKILL.md`,
  };
}

/** One entry, whole. */
export function entryOf(id: DirectoryId, site: SiteAddress): DirectoryEntry {
  const { page, json, skill } = directoryForms(id);
  const representations = { page: site.url(page), json: site.url(json), skill: site.url(skill) };
  const common = { ...head('directory-entry', site), representations, id };
  if (id in COMMANDS) {
    const { summary, operands, about, npm, options, exits }: Command = COMMANDS[id as Verb];
    return {
      ...common,
      kind: 'command',
      summary,
      usage: operands.map((one) => `weighbridge ${id} [OPTION…] ${one}`.trimEnd()),
      about: about.replaceAll('\n', ' '),
      npm,
      options: Object.entries(options).map(([name, { value, multiple, says }]) => ({
        name: `--${name}`,
        value: value ?? null,
        repeats: multiple === true,
        says: says.replaceAll('\n', ' '),
      })),
      exits: Object.entries(exits).map(([code, says]) => ({ code: Number(code), says })),
    };
  }
  const { method, path, answers, type, parts, schema, only, query, takes, keyed } =
    ADDRESSES[id as EndpointId | ServedId];
  const named = (those: Readonly<Record<string, string>> = {}) =>
    Object.entries(those).map(([name, says]) => ({ name, says }));
  return {
    ...common,
    kind: 'endpoint',
    summary: answers.charAt(0).toUpperCase() + answers.slice(1),
    method,
    url: site.url(path),
    content_type: type,
    parts: named(parts),
    query: named(query),
    takes: takes === undefined ? null : postSchema(takes),
    key: keyed === true ? 'x-terminal-key' : null,
    schema: schema === undefined ? null : site.url(schemaPath(schema)),
    only: only ?? null,
  };
}

/** All entries, in short. */
export function renderDirectory(site: SiteAddress): string {
  const value: z.infer<typeof DirectoryJson> = {
    ...head('directory', site),
    entries: DIRECTORY.map((id) => {
      const entry = entryOf(id, site);
      const { kind, summary, representations } = entry;
      return kind === 'command'
        ? { id, kind, summary, usage: entry.usage, representations }
        : {
            ...{ id, kind, summary, method: entry.method, url: entry.url },
            content_type: entry.content_type,
            representations,
          };
    }),
  };
  return print(value);
}

/** One entry for programs. */
export function renderDirectoryEntry(id: DirectoryId, site: SiteAddress): string {
  return print(entryOf(id, site));
}

/** One entry for models: when to use it, how, and what its answer means. */
export function renderDirectorySkill(id: DirectoryId, site: SiteAddress): string {
  const entry = entryOf(id, site);
  const { description, steps } =
    entry.kind === 'command' ? forCommand(entry) : forEndpoint(entry, site);
  return `---
name: ${id}
description: ${JSON.stringify(description)}
license: MIT
metadata:
  page: ${JSON.stringify(entry.representations.page)}
---

${steps.join('\n\n')}
`;
}

type Skill = { description: string; steps: string[] };

function forCommand(entry: Extract<DirectoryEntry, { kind: 'command' }>): Skill {
  const { id, summary, about, usage, npm, options, exits } = entry;
  const to = summary.charAt(0).toLowerCase() + summary.slice(1);
  return {
    description: `Runs the command weighbridge ${id}. Use it to ${to}.`,
    steps: [
      about,
      `1. Call it, in a clone of Weighbridge as \`${npm}\` in place of \`weighbridge ${id}\`:`,
      `\`\`\`sh\n${usage.join('\n')}\n\`\`\``,
      '2. Give the options that the task needs, and no others:',
      options
        .map(
          ({ name, value, says }) => `- \`${name}${value === null ? '' : ` ${value}`}\`: ${says}`,
        )
        .join('\n'),
      '3. Judge by the exit code, and on any but 0 tell what standard error says:',
      exits.map(({ code, says }) => `- ${code}: ${says}`).join('\n'),
    ],
  };
}

function forEndpoint(
  entry: Extract<DirectoryEntry, { kind: 'endpoint' }>,
  site: SiteAddress,
): Skill {
  const { id, summary, method, content_type, parts, query, schema, takes, key, only } = entry;
  const answers = summary.charAt(0).toLowerCase() + summary.slice(1);
  const braced = [...parts, ...query].map(({ name, says }) => `- \`{${name}}\`: ${says}`);
  const needs =
    key === null ? 'no key is needed' : `the owner’s key goes into the header \`${key}\``;
  return {
    description: `${method} ${ADDRESSES[id as EndpointId].path} answers ${answers}. Use it when a task needs that from ${site.name}.`,
    steps: [
      `1. Ask for it; ${needs}:`,
      `\`\`\`sh\n${curlOf(entry)}\n\`\`\``,
      ...(braced.length > 0 ? ['In place of what stands in braces:', braced.join('\n')] : []),
      ...(takes === null
        ? []
        : [
            'What is posted fits this JSON Schema:',
            `\`\`\`json\n${JSON.stringify(takes, null, 2)}\n\`\`\``,
          ]),
      `2. Read the answer as ${content_type}${schema === null ? '' : `; it fits ${schema}`}. ${
        takes === null
          ? '404 means that there is nothing of that name.'
          : '201 comes with a receipt, anything else with a problem (RFC 9457) that names the field at fault. Keep the receipt and what was posted.'
      }`,
      ...(only === null ? [] : [`It is there only where ${only}.`]),
    ],
  };
}

/** How an address is asked in a shell, with what stands in braces left to fill in. */
export function curlOf({ method, url, query, key }: Extract<DirectoryEntry, { kind: 'endpoint' }>) {
  const asked = query.map(({ name }) => `${name}={${name}}`).join('&');
  const header = key === null ? '' : ` -H "${key}: $TERMINAL_KEY"`;
  const post =
    method === 'GET' ? '' : ` -X POST${header} -H 'content-type: application/json' -d @post.json`;
  return `curl -fsS '${url}${asked === '' ? '' : `?${asked}`}'${post}`;
}
