/** Reads content/servers.yaml: which MCP servers are weighed, at which exact versions. Pure. */
import { z } from 'zod';
import { readYaml, textProblems } from './yaml.ts';

const FILE = 'content/servers.yaml';

const VERSION = z
  .string()
  .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, 'an exact version (no range, no tag)');

const PACKAGE = z.string().regex(/^(?:@[a-z0-9._-]+\/)?[a-z0-9._-]+$/, 'an npm package name');

const Server = z.strictObject({
  /** The name that figures and pages know it by. */
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'a name of a-z, 0-9 and single hyphens'),
  /** The npm package. */
  package: PACKAGE,
  /** The current one. */
  version: VERSION,
  /** Releases before it, the oldest first: its history. */
  releases: z.array(VERSION).default([]),
  /** Weighed for its history alone: it counts among no servers. */
  history_only: z.boolean().default(false),
  /**
   * What it depends on is installed as it stood on that day, so that the same list comes anywhere.
   * One day for all releases: two of them then differ by what their authors changed, not by time.
   */
  as_of: z.iso.date('a day, YYYY-MM-DD'),
  /**
   * Dependencies held at what those releases were made for, where their ranges now let in another
   * that they do not work with: what would be weighed else is that, not the release.
   */
  pins: z
    .array(z.strictObject({ dependency: PACKAGE, at: VERSION, for: z.array(VERSION).min(1) }))
    .default([]),
  /** Which of the package's commands, where it has several. */
  bin: z.string().optional(),
  args: z.array(z.string()).default([]),
  /** Placeholders for what the server insists on; never a secret. */
  env: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string()).default({}),
  licence: z.string(),
  /** Why it is among the weighed. */
  why: z.string().optional(),
});
type Listed = z.infer<typeof Server>;
/** One release of a server, with all that it takes to weigh it; `pins` are versions by dependency. */
export type ServerContent = Omit<Listed, 'releases' | 'history_only' | 'pins'> & {
  pins: Record<string, string>;
};

/**
 * The servers in the order of the file, each at its current version, without those weighed for
 * their history alone. Throws the first Problem, with its file, line and column.
 */
export function parseServers(text: string): ServerContent[] {
  return readServers(text)
    .filter(({ history_only }) => !history_only)
    .map((server) => releaseOf(server, server.version));
}

/** Every release of every server: server by server, the oldest first, the current one last. Throws as parseServers does. */
export function parseReleases(text: string): ServerContent[] {
  return readServers(text).flatMap((server) =>
    [...server.releases, server.version].map((version) => releaseOf(server, version)),
  );
}

function releaseOf(server: Listed, version: string): ServerContent {
  const { releases: _, history_only: __, pins, ...rest } = server;
  const own = pins.filter((pin) => pin.for.includes(version));
  return { ...rest, version, pins: Object.fromEntries(own.map((pin) => [pin.dependency, pin.at])) };
}

function readServers(text: string): Listed[] {
  const yaml = readYaml(
    FILE,
    text,
    z.array(Server).superRefine((servers, ctx) => {
      const complain = (path: (string | number)[], message: string) =>
        ctx.addIssue({ code: 'custom', path, message });
      for (const [i, { name, version, releases, history_only, pins }] of servers.entries()) {
        if (servers.findIndex((other) => other.name === name) < i) {
          complain([i, 'name'], `two servers named ${name}`);
        }
        for (const [j, release] of releases.entries()) {
          if (release === version || releases.indexOf(release) < j) {
            complain([i, 'releases', j], `${name} names ${release} twice`);
          }
        }
        for (const [j, pin] of pins.entries()) {
          const stray = pin.for.find((one) => !releases.includes(one));
          if (stray !== undefined)
            complain([i, 'pins', j, 'for'], `${name} lists no release ${stray}`);
        }
        if (history_only && releases.length === 0) {
          complain([i, 'history_only'], `${name} has no releases before its current one`);
        }
      }
    }),
  );
  const [problem] = [...textProblems(FILE, text), ...yaml.problems];
  if (problem !== undefined) throw problem;
  return yaml.value ?? [];
}
