/**
 * One configured server, whatever client it was configured for, and what it takes to reach it. It
 * must never show a value of an environment variable or a header: those are sealed.
 */
import { inspect } from 'node:util';
import { Problem } from '../problem.ts';
import type { Path } from './document.ts';
import { fill, type Surroundings, type Template } from './placeholder.ts';

export type Transport = 'stdio' | 'http' | 'sse';

export type ConfiguredServer = {
  name: string;
  /** Null where it cannot be told; `problems` says why. */
  transport: Transport | null;
  /** Command and arguments as written, placeholders unfilled. */
  command: string | null;
  args: string[];
  /** Names only. */
  env: string[];
  /** As written, without its query and credentials. */
  url: string | null;
  /** Names only. */
  headers: string[];
  /** Whose it is: '' for the file's own, else the folder of the project it is for. */
  scope: string;
  /** `file:line:column` */
  at: string;
  /** Switched off in the file; it costs nothing then. */
  disabled: boolean;
  problems: Problem[];
  /** All of it filled in; null where a problem stands in the way. */
  launch: Sealed<Launch> | null;
};

export type Launch =
  | {
      transport: 'stdio';
      command: string;
      args: string[];
      env: Record<string, string>;
      cwd: string | null;
    }
  | { transport: 'http' | 'sse'; url: string; headers: Record<string, string> };

/** Holds what must not be printed: neither JSON, a template string nor console.log shows it. */
class Sealed<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** For whoever starts or asks the server; not for whoever prints. */
  open(): T {
    return this.#value;
  }

  toJSON(): string {
    return '[sealed]';
  }

  toString(): string {
    return '[sealed]';
  }

  [inspect.custom](): string {
    return '[sealed]';
  }
}

/** What a client's format says of a server, before its placeholders are filled. */
export type Entry = {
  name: string;
  type: string | null;
  command: Template | null;
  args: Template[];
  env: Record<string, Template>;
  cwd: Template | null;
  url: Template | null;
  headers: Record<string, Template>;
  disabled: boolean;
  scope: string;
  problems: Problem[];
  /** A path below the entry's own, as `file:line:column`. */
  at(path?: Path): string;
};

/** As clients spell them. */
const TRANSPORTS: Readonly<Record<string, Transport>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
  sse: 'sse',
};

/** The server of an entry, with a problem for each thing that keeps it from being reached. */
export function configured(entry: Entry, around: Surroundings): ConfiguredServer {
  const problems = [...entry.problems];
  const transport = transportOf(entry, problems);
  const launch = transport === null ? null : fillIn(transport, entry, around, problems);
  const whole = problems.every(({ code }) => code !== 'config.bad-field');
  return {
    name: entry.name,
    transport,
    command: entry.command?.written ?? null,
    args: entry.args.map(({ written }) => written),
    env: Object.keys(entry.env),
    url: entry.url === null ? null : withoutSecrets(entry.url.written),
    headers: Object.keys(entry.headers),
    scope: entry.scope,
    at: entry.at(),
    disabled: entry.disabled,
    problems,
    launch: launch !== null && whole ? new Sealed(launch) : null,
  };
}

/**
 * One problem for each server whose name an earlier one has, where one client would see both: in
 * one scope, or in a project and everywhere. Those that are switched off do not count.
 */
export function duplicateNames(servers: readonly ConfiguredServer[]): Problem[] {
  const on = servers.filter(({ disabled }) => !disabled);
  return on.flatMap(({ name, scope, at }, i) => {
    const other = on
      .slice(0, i)
      .find(
        (one) => one.name === name && (one.scope === scope || one.scope === '' || scope === ''),
      );
    if (other === undefined) return [];
    const mend = 'A client takes one of them, the nearer to the project. Rename or remove one.';
    return [
      new Problem('config.duplicate-name', `${name} is also configured at ${other.at}`, {
        at,
        mend,
      }),
    ];
  });
}

function transportOf(entry: Entry, problems: Problem[]): Transport | null {
  const { type, command, url } = entry;
  const wrong = (code: string, message: string, mend: string, path: Path = []) => {
    problems.push(new Problem(code, message, { at: entry.at(path), mend }));
    return null;
  };
  if (type !== null) {
    const known = Object.hasOwn(TRANSPORTS, type) ? TRANSPORTS[type] : undefined;
    if (known === undefined) {
      return wrong(
        'config.unknown-transport',
        `${entry.name} has an unknown transport ${JSON.stringify(type.slice(0, 40))}`,
        'Known are stdio, http (streamable-http) and sse.',
        ['type'],
      );
    }
    const field = known === 'stdio' ? 'command' : 'url';
    if (entry[field] !== null) return known;
    return wrong(
      'config.missing-field',
      `${entry.name} is ${type} but has no ${field}`,
      `Add ${field}.`,
    );
  }
  if (command !== null && url !== null) {
    return wrong(
      'config.ambiguous',
      `${entry.name} has both a command and a url`,
      'Remove one, or say which with type.',
    );
  }
  if (command !== null) return 'stdio';
  if (url !== null) return /\/sse\/?$/.test(url.written.split('?', 1)[0]!) ? 'sse' : 'http';
  return wrong(
    'config.missing-field',
    `${entry.name} has neither a command nor a url`,
    'Add the one it is reached by.',
  );
}

/** Tells every problem, not only the first. */
function fillIn(
  transport: Transport,
  entry: Entry,
  around: Surroundings,
  problems: Problem[],
): Launch | null {
  const before = problems.length;
  const text = (template: Template | null) =>
    template === null
      ? null
      : fill(template, around, entry.at(template.path), (problem) => problems.push(problem));
  const all = (templates: Readonly<Record<string, Template>>) =>
    Object.fromEntries(Object.entries(templates).map(([name, one]) => [name, text(one) ?? '']));
  if (transport === 'stdio') {
    const command = text(entry.command);
    const args = entry.args.map((one) => text(one) ?? '');
    const env = all(entry.env);
    const cwd = text(entry.cwd);
    if (command === null || problems.length > before) return null;
    return { transport, command, args, env, cwd };
  }
  const url = text(entry.url);
  const headers = all(entry.headers);
  if (url === null || problems.length > before) return null;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    const mend = 'Only http and https can be asked.';
    const at = entry.at(['url']);
    problems.push(new Problem('config.bad-url', `${entry.name} has no http address`, { at, mend }));
    return null;
  }
  return { transport, url, headers };
}

/** What stands before @ or after ? may be a key. */
function withoutSecrets(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1…@').replace(/([?#]).*$/s, '$1…');
}
