/**
 * Reads what MCP clients are configured with: Claude Code (`.mcp.json`, `~/.claude.json`), Claude
 * Desktop, VS Code (`mcp.json`, `settings.json`), Cursor and Codex. It is told a file's text, and
 * must never read, start or ask anything itself.
 */
import { basename } from 'node:path';
import { Problem } from '../problem.ts';
import { type Document, type Path, readDocument } from './document.ts';
import {
  literal,
  parseTemplate,
  type Surroundings,
  type Template,
  variable,
} from './placeholder.ts';
import { type ConfiguredServer, configured, duplicateNames, type Entry } from './server.ts';

export type ReadOptions = Surroundings & {
  /** Named in messages; of its name only a hint is taken. */
  file: string;
};

export type Client = 'claude-code' | 'claude-desktop' | 'vscode' | 'cursor' | 'codex' | 'unknown';

export type Config = {
  client: Client;
  servers: ConfiguredServer[];
  /** What concerns the file; what concerns one server stands with it. */
  problems: Problem[];
};

/** An object of the file; named are the members that are read by name. */
type Fields = Readonly<Record<string, unknown>> &
  Readonly<
    Partial<
      Record<
        'projects' | 'disabledMcpServers' | 'inputs' | 'mcp' | 'disabled' | 'enabled' | 'name',
        unknown
      >
    >
  >;
/** A map of servers, the client's word for it, and whose servers they are. */
type Section = { path: Path; servers: Fields; scope: string; off: readonly unknown[] };

/** Throws Problem `config.syntax` or `config.unknown`; anything less stands in the result. */
export function readConfig(text: string, options: ReadOptions): Config {
  const { file } = options;
  const document = readDocument(text, file);
  const root = fields(document.value) ?? {};
  const sections = sectionsOf(root);
  if (sections.length === 0) {
    throw new Problem('config.unknown', 'no MCP servers are configured in it', {
      at: file,
      mend: 'Looked for mcpServers, servers, mcp.servers, projects.*.mcpServers and [mcp_servers.*].',
    });
  }
  const client = clientOf(root, document, file);
  const problems = fileProblems(document, sections, client);
  const around = { ...options, inputs: { ...defaults(root), ...options.inputs } };
  const servers = sections.flatMap((section) =>
    Object.entries(section.servers).map(([name, value]) =>
      configured(entryOf(name, value, section, document, client), around),
    ),
  );
  return { client, servers, problems: [...problems, ...duplicateNames(servers)] };
}

function sectionsOf(root: Fields): Section[] {
  const sections: Section[] = [];
  const add = (path: Path, scope = '', off: unknown = []) => {
    let value: unknown = root;
    for (const step of path) value = fields(value)?.[step];
    const servers = fields(value);
    if (servers !== null) sections.push({ path, servers, scope, off: list(off) });
  };
  add(['mcpServers']);
  add(['servers']);
  add(['mcp', 'servers']);
  add(['mcp.servers']);
  add(['mcp_servers']);
  for (const [folder, project] of Object.entries(fields(root.projects) ?? {})) {
    add(['projects', folder, 'mcpServers'], folder, fields(project)?.disabledMcpServers);
  }
  return sections;
}

/** By what only it has; Claude Code, Claude Desktop and Cursor share a format, told by the name. */
function clientOf(root: Fields, { format }: Document, file: string): Client {
  if (format === 'toml') return 'codex';
  if ('servers' in root || 'mcp' in root || 'mcp.servers' in root) return 'vscode';
  if ('projects' in root || /^\.(?:mcp|claude)\.json$/.test(basename(file))) return 'claude-code';
  if (basename(file) === 'claude_desktop_config.json') return 'claude-desktop';
  return /(?:^|[/\\])\.cursor[/\\]/.test(file) ? 'cursor' : 'unknown';
}

function fileProblems(document: Document, sections: Section[], client: Client): Problem[] {
  const problems: Problem[] = [];
  if (document.loose !== null && client.startsWith('claude')) {
    problems.push(
      new Problem('config.not-strict-json', 'a comment or trailing comma, which is read here', {
        at: document.loose,
        mend: `Remove it: ${client} reads strict JSON and may refuse the whole file.`,
      }),
    );
  }
  for (const { path, at } of document.repeated) {
    const within = sections.some(
      (section) =>
        path.length === section.path.length + 1 &&
        section.path.every((step, i) => step === path[i]),
    );
    if (!within) continue;
    problems.push(
      new Problem('config.duplicate-name', `${path.at(-1)} is configured twice`, {
        at,
        mend: 'Only the last counts, silently. Rename or remove one.',
      }),
    );
  }
  return problems;
}

/** Inputs that an editor asks for come with the answer it would suggest. */
function defaults(root: Fields): Record<string, string> {
  const inputs = root.inputs ?? fields(root.mcp)?.inputs;
  return Object.fromEntries(
    list(inputs).flatMap((input) => {
      const { id, default: value } = fields(input) ?? {};
      return typeof id === 'string' && typeof value === 'string' ? [[id, value]] : [];
    }),
  );
}

function entryOf(
  name: string,
  value: unknown,
  section: Section,
  document: Document,
  client: Client,
): Entry {
  const problems: Problem[] = [];
  const at = (path: Path = []) => document.at([...section.path, name, ...path]);
  const wrong = (code: string, message: string, mend: string, path: Path = []) => {
    problems.push(new Problem(code, `${name}: ${message}`, { at: at(path), mend }));
  };
  const own = fields(value);
  if (own === null) wrong('config.bad-field', 'not an object', 'Give it a command or a url.');
  const take = own ?? {};
  const read = client === 'codex' ? literal : parseTemplate;

  const text = (key: string): string | null => {
    const found = take[key] ?? null;
    if (found === null || typeof found === 'string') return found || null;
    wrong('config.bad-field', `${key} is not a text`, 'Put it in quotes.', [key]);
    return null;
  };
  const template = (key: string): Template | null => {
    const found = text(key);
    return found === null ? null : read(found, [key]);
  };
  const each = <T>(key: string, convert: (item: unknown, path: Path) => T | null): T[] => {
    const found = take[key] ?? [];
    if (!Array.isArray(found)) wrong('config.bad-field', `${key} is not a list`, 'Use […].', [key]);
    return list(found).flatMap((item, i) => {
      const made = convert(item, [key, i]);
      if (made !== null) return [made];
      wrong('config.bad-field', `${key}[${i}] is not a text`, 'Put it in quotes.', [key, i]);
      return [];
    });
  };
  const map = (key: string, convert = read): Record<string, Template> => {
    const found = take[key] ?? {};
    if (fields(found) === null) {
      wrong('config.bad-field', `${key} is not an object`, 'Give names and values.', [key]);
    }
    return Object.fromEntries(
      Object.entries(fields(found) ?? {}).flatMap(([item, raw]) => {
        // VS Code lets null stand for a variable that is taken away.
        if (raw === null) return [];
        if (typeof raw === 'string' || typeof raw === 'number')
          return [[item, convert(`${raw}`, [key, item])]];
        wrong('config.bad-field', `${key}.${item} is not a text`, 'Put it in quotes.', [key, item]);
        return [];
      }),
    );
  };
  const passedBy = (key: string, why: string, mend: string) => {
    if (key in take) wrong('config.not-read', `${key} ${why}`, mend, [key]);
  };

  const entry: Entry = {
    name,
    type: text('type') ?? text('transport'),
    command: template('command'),
    args: each('args', (item, path) => (typeof item === 'string' ? read(item, path) : null)),
    env: map('env'),
    cwd: template('cwd'),
    url: template('url'),
    headers: map(client === 'codex' ? 'http_headers' : 'headers'),
    disabled: take.disabled === true || take.enabled === false || section.off.includes(name),
    scope: section.scope,
    problems,
    at,
  };
  passedBy('envFile', 'is not read', 'Set its variables before weighing.');
  passedBy('headersHelper', 'is not run', 'Give what it makes as headers.');
  if (client !== 'codex') return entry;

  // Codex names variables instead of writing placeholders.
  passedBy('headers', 'is not known to Codex, which passes over it', 'Write http_headers.');
  passedBy('bearer_token', 'is refused by Codex', 'Write bearer_token_env_var.');
  const forwarded = each('env_vars', (item, path): [string, Template] | null => {
    const one = typeof item === 'string' ? item : fields(item)?.name;
    return typeof one === 'string' ? [one, variable(one, path)] : null;
  });
  const bearer = text('bearer_token_env_var');
  const authorization =
    bearer === null ? {} : { Authorization: variable(bearer, ['bearer_token_env_var'], 'Bearer ') };
  return {
    ...entry,
    env: { ...Object.fromEntries(forwarded), ...entry.env },
    headers: { ...entry.headers, ...map('env_http_headers', variable), ...authorization },
  };
}

function fields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
