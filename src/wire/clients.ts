/**
 * The clients whose requests are weighed and the settings they are run with, as content/clients.yaml
 * and content/settings.yaml give them. Pure: it takes texts and must never read a file.
 */
import { z } from 'zod';
import { readYaml, textProblems } from '../articles/yaml.ts';
import { QUOTE_STATUSES } from '../ledger/terms.ts';
import { Problem } from '../problem.ts';
import { FAULTS, type Fault } from './fault.ts';

export const CLIENTS_FILE = 'content/clients.yaml';
const SETTINGS_FILE = 'content/settings.yaml';

const Name = z.string().regex(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/, 'a name of a-z, 0-9, - and .');
const Version = z
  .string()
  .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, 'an exact version (no range, no tag)');
const Variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

/** One way to run a client; what it leaves out is as in the baseline. */
export const Variant = z.strictObject({
  name: Name,
  /** Added to the client's environment. */
  env: z.record(Variable, z.string()).default({}),
  /** Added to its command line. */
  args: z.array(z.string()).default([]),
  /** Names of content/servers.yaml, `all` of them, or the baseline's when left out. */
  servers: z.union([z.literal('all'), z.array(Name)]).optional(),
  /** Tools of the synthetic server, attached beside the others; 0 is none. */
  synthetic: z.int().min(0).max(10_000).default(0),
  /** Marks every attached server as always to be loaded. */
  always_load: z.boolean().default(false),
  /** In which way the server that it is pointed at misbehaves. */
  fault: z.enum(Object.keys(FAULTS) as Fault[]).optional(),
});
export type Variant = z.infer<typeof Variant>;

/** The clients that launch.ts knows how to start. */
export const CLIENT_NAMES = ['claude-code', 'codex', 'opencode', 'gemini-cli'] as const;

const Client = z.strictObject({
  name: z.enum(CLIENT_NAMES),
  package: z.string().min(1),
  versions: z.array(Version).min(1),
  /**
   * What is run, from the node_modules folder in which the package stands; `{platform}` becomes
   * `linux-x64` and its like. Node runs it when it ends in .js.
   */
  executable: z.string().regex(/^(?!\/)(?!.*\.\.)/, 'a path within node_modules'),
  licence: z.string().min(1),
  why: z.string().optional(),
  variants: z.array(Variant).min(1),
});
export type Client = z.infer<typeof Client>;

const Clients = z.strictObject({
  /** The servers that are attached unless a variant says otherwise. */
  baseline_servers: z.array(Name),
  clients: z.array(Client),
});
export type Clients = z.infer<typeof Clients>;

/** One run: a client at a version with one variant. */
export interface Job {
  client: Client;
  version: string;
  variant: Variant;
  /** Names of the servers that are attached, in order; the synthetic one is not among them. */
  servers: string[];
}

/**
 * The file's clients; `servers` are the names that content/servers.yaml has. Throws the first Problem,
 * with its file, line and column.
 */
export function parseClients(text: string, servers: readonly string[]): Clients {
  return parse(
    CLIENTS_FILE,
    text,
    Clients.superRefine(({ baseline_servers, clients }, ctx) => {
      const fault = (path: (string | number)[], message: string) =>
        ctx.addIssue({ code: 'custom', path, message });
      const known = (names: readonly string[], ...path: (string | number)[]) => {
        for (const [i, name] of names.entries()) {
          if (!servers.includes(name)) fault([...path, i], `content/servers.yaml has no ${name}`);
        }
      };
      const unique = (named: readonly { name: string }[], ...path: (string | number)[]) => {
        for (const [i, { name }] of named.entries()) {
          if (named.findIndex((other) => other.name === name) < i) {
            fault([...path, i, 'name'], `two are named ${name}`);
          }
        }
      };
      known(baseline_servers, 'baseline_servers');
      unique(clients, 'clients');
      for (const [i, { variants }] of clients.entries()) {
        unique(variants, 'clients', i, 'variants');
        for (const [j, variant] of variants.entries()) {
          if (!Array.isArray(variant.servers)) continue;
          known(variant.servers, 'clients', i, 'variants', j, 'servers');
        }
      }
    }),
  );
}

function parse<T>(file: string, text: string, schema: z.ZodType<T>): T {
  const yaml = readYaml(file, text, schema);
  const [problem] = [...textProblems(file, text), ...yaml.problems];
  if (problem !== undefined) throw problem;
  if (yaml.value === null)
    throw new Problem('yaml.empty', 'the file is empty', {
      at: file,
      mend: 'Write at least one of what it lists, or take the file away.',
    });
  return yaml.value;
}

/**
 * The runs that `only` asks for, all when it is empty: `codex`, `claude-code@2.1.304`,
 * `claude-code/baseline` or `claude-code@2.1.304/baseline`. Throws Problem when one of them names nothing.
 */
export function planJobs(
  { baseline_servers, clients }: Clients,
  allServers: readonly string[],
  only: readonly string[] = [],
): Job[] {
  const jobs = clients.flatMap((client) =>
    client.versions.flatMap((version) =>
      client.variants.map((variant): Job => {
        const servers = variant.servers ?? baseline_servers;
        return {
          client,
          version,
          variant,
          servers: [...(servers === 'all' ? allServers : servers)],
        };
      }),
    ),
  );
  const chosen = (job: Job, name: string) => {
    const { client, version, variant } = job;
    const at = `${client.name}@${version}`;
    return [client.name, at, `${client.name}/${variant.name}`, `${at}/${variant.name}`].includes(
      name,
    );
  };
  for (const name of only) {
    if (jobs.some((job) => chosen(job, name))) continue;
    throw new Problem('wire.no-client', `${CLIENTS_FILE} has no ${name}`, {
      mend: `Name one of ${clients.map((client) => client.name).join(', ')}, then @VERSION, /VARIANT or both.`,
    });
  }
  return only.length === 0 ? jobs : jobs.filter((job) => only.some((name) => chosen(job, name)));
}

/** `claude-code@2.1.304/baseline` */
export function jobId({ client, version, variant }: Job): string {
  return `${client.name}@${version}/${variant.name}`;
}

/** What a run must show for a setting to count as reproduced here. */
const EXPECTATIONS = {
  upfront: 'a definition for every attached server',
  deferred: 'names of the servers’ tools, and no definition of one',
  shorter: 'shorter instructions than in the baseline',
} as const;

/** One row of the table of settings: what a value is said to do, by whom, and which runs show it. */
export const Setting = z.strictObject({
  client: z.enum(CLIENT_NAMES),
  /** The environment variable or the key in a configuration file. */
  setting: z.string().min(1),
  value: z.string(),
  behaviour: z.string().min(1),
  /** The versions for which it is said: `2.1.304` on, or a range `2.1.165 - 2.1.303`; null when not said. */
  since: Version.nullable(),
  until: Version.nullable(),
  source: z
    .strictObject({
      url: z.url(),
      /** The words relied on, as they stand there; null where it was not read, with the reason in `note`. */
      quote: z.string().nullable(),
      quote_status: z.enum(QUOTE_STATUSES),
      note: z.string().optional(),
    })
    .nullable(),
  /** Variants of content/clients.yaml in whose captures it can be seen, and as what; empty: not tried here. */
  variants: z.record(Name, z.enum(Object.keys(EXPECTATIONS) as (keyof typeof EXPECTATIONS)[])),
});
export type Setting = z.infer<typeof Setting>;

/** The settings in the file's order. Throws the first Problem, with its file, line and column. */
export function parseSettings(text: string, { clients }: Clients): Setting[] {
  return parse(
    SETTINGS_FILE,
    text,
    z.array(Setting).superRefine((settings, ctx) => {
      for (const [i, { client, variants }] of settings.entries()) {
        const known = clients.find(({ name }) => name === client)?.variants ?? [];
        for (const name of Object.keys(variants)) {
          if (known.some((variant) => variant.name === name)) continue;
          const message = `${CLIENTS_FILE} has no variant ${name} of ${client}`;
          ctx.addIssue({ code: 'custom', path: [i, 'variants', name], message });
        }
      }
    }),
  );
}
