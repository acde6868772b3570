/**
 * The tables of addresses that the site answers: the directory and the contract test are made from
 * them. They hold words only; an address that is built and not named here, or named and not built,
 * fails a test.
 */
import type { Kind } from './intake/post.ts';
import type { SchemaName } from './render/schemas.ts';

export interface Endpoint {
  method: 'GET' | 'POST';
  /** From the site's root; `{name}` stands for a part of the path, `{name…}` for several. */
  path: string;
  /** What it answers, as the end of a sentence: `an article, for people`. */
  answers: string;
  /** The media type, with its charset where it is text. */
  type: string;
  /** When it is there at all, where that is not always. */
  only?: string;
  /** What each part in braces may be. */
  parts: Readonly<Record<string, string>>;
  /** The JSON Schema that its answer fits. */
  schema?: SchemaName;
  /** What follows `?`: each name with what it may be. */
  query?: Readonly<Record<string, string>>;
  /** The kind of post that it takes; what it answers is then a receipt, with 201. */
  takes?: Kind;
  /** It wants the owner's key as x-terminal-key. */
  keyed?: true;
}

const HTML = 'text/html;charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const ATOM = 'application/atom+xml; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';
const SLUG = { slug: 'the name of an article, as /api/articles.json lists them' };
const CLIENT = { client: 'a name of content/clients.yaml, as /api/clients.json lists them' };
const SERVER = { server: 'a name of content/servers.yaml, as /api/servers.json lists them' };
const TOOL = {
  ...SERVER,
  tool: 'the last part of a tool’s address, as /api/servers/{server}.json has it',
};
const ID = { id: 'an id of /api/directory.json' };
const CLAIM = { ...SLUG, claim: 'the id of a claim of it' };
const FIGURE = { ...SLUG, figure: 'the id of a figure that it shows' };

const SEQ = { seq: 'its number, from 0' };
const LIST = { 'list…': 'all, or type, article, actor and the like with one of them' };

const json = (path: string, answers: string, schema: SchemaName, parts = {}) =>
  ({ method: 'GET', path, answers, type: JSON_TYPE, schema, parts }) as const;
const other = (type: string, path: string, answers: string, parts = {}) =>
  ({ method: 'GET', path, answers, type, parts }) as const;

const SIGNED = { only: 'the log is signed' } as const;

export const ENDPOINTS = {
  home: other(HTML, '/', 'the finding, its ticket and the list of articles'),
  'home-markdown': other(MARKDOWN, '/index.md', 'the finding and all articles, in plain text'),
  llms: other(PLAIN, '/llms.txt', 'where a model finds what, by llmstxt.org'),
  'llms-section': other(PLAIN, '/llms/{section}.txt', 'one part of that list, page by page', {
    section: 'a name that /llms.txt links to',
  }),
  'api-json': json('/api/index.json', 'what there is for programs', 'api'),
  openapi: other(JSON_TYPE, '/openapi.json', 'this list as OpenAPI, with all schemas'),
  'skills-json': other(
    JSON_TYPE,
    '/.well-known/agent-skills/index.json',
    'the skills with their digests, by agentskills.io',
  ),
  'skill-markdown': other(
    MARKDOWN,
    '/.well-known/agent-skills/{name}/SKILL.md',
    'a skill, in a folder of its name',
    { name: 'a name of /.well-known/agent-skills/index.json' },
  ),
  sitemap: other('application/xml; charset=utf-8', '/sitemap.xml', 'the pages, for search engines'),
  robots: other(PLAIN, '/robots.txt', 'what crawlers may read: all of it'),
  'article-page': other(HTML, '/a/{slug}/', 'an article for people', SLUG),
  'article-markdown': other(MARKDOWN, '/a/{slug}.md', 'an article in plain text', SLUG),
  'article-json': json(
    '/api/articles/{slug}.json',
    'an article with all it rests on',
    'article',
    SLUG,
  ),
  'article-skill': other(
    MARKDOWN,
    '/api/articles/{slug}/skill/SKILL.md',
    'what an article tells a model to do',
    SLUG,
  ),
  'article-topology': json(
    '/api/articles/{slug}/topology.json',
    'what in an article rests on what',
    'topology',
    SLUG,
  ),
  'article-revisions': json(
    '/api/articles/{slug}/revisions.json',
    'every revision of an article and what it changed',
    'revisions',
    SLUG,
  ),
  'article-invocations': json(
    '/api/articles/{slug}/invocations.json',
    'every attempt to capture what an article shows, run by run',
    'invocations',
    SLUG,
  ),
  'article-ledger': json(
    '/api/articles/{slug}/ledger.json',
    'the entries of an article',
    'article-ledger',
    SLUG,
  ),
  'article-weigh': json(
    '/api/articles/{slug}/weigh.json',
    'what a browser needs to weigh the figures of an article again',
    'article-weigh',
    SLUG,
  ),
  'article-objections': json(
    '/api/articles/{slug}/objections.json',
    'what was objected to an article and answered, and from a server that takes posts what is queued',
    'objections',
    SLUG,
  ),
  objection: {
    ...json('/api/objections/{id}.json', 'a post that was taken in, with its answer', 'objection', {
      id: 'the id on its receipt',
    }),
    only: 'a post was taken in',
  },
  'figure-json': json(
    '/api/articles/{slug}/figures/{figure}.json',
    'a figure with its method, its captures and how it is cited',
    'figure',
    FIGURE,
  ),
  'figure-csv': other(
    CSV,
    '/api/articles/{slug}/figures/{figure}.csv',
    'a figure as a table, a row for each thing that it rests on',
    FIGURE,
  ),
  'claim-page': other(HTML, '/a/{slug}/claims/{claim}/', 'a claim and its life, for people', CLAIM),
  'claim-markdown': other(
    MARKDOWN,
    '/a/{slug}/claims/{claim}.md',
    'a claim and its life, in plain text',
    CLAIM,
  ),
  card: other('image/png', '/cards/{card…}.png', 'the picture of a page, with its main figure', {
    'card…': 'home, or the path of a page that has one: a/what-mcp-tools-cost, servers/notion',
  }),
  'corrections-page': other(HTML, '/corrections/', 'what was corrected and why, for people'),
  'corrections-markdown': other(MARKDOWN, '/corrections.md', 'what was corrected, in plain text'),
  'corrections-feed': other(ATOM, '/corrections.xml', 'what was corrected, as an Atom feed'),
  'articles-feed': other(ATOM, '/articles.xml', 'articles as they are recorded, as an Atom feed'),
  'captures-feed': other(ATOM, '/captures.xml', 'what was captured lately, as an Atom feed'),
  'articles-json': json('/api/articles.json', 'the list of articles', 'articles'),
  'topology-json': json('/topology.json', 'what rests on what, over all articles', 'topology'),
  'revisions-json': json('/revisions.json', 'the revisions of all articles', 'revisions'),
  'invocations-json': json('/invocations.json', 'every attempt to capture anything', 'invocations'),
  'servers-page': other(HTML, '/servers/', 'all weighed servers, for people'),
  'servers-markdown': other(MARKDOWN, '/servers.md', 'all weighed servers, in plain text'),
  'servers-csv': other(CSV, '/servers.csv', 'all weighed servers as a table'),
  'servers-json': json('/api/servers.json', 'all weighed servers', 'servers'),
  'server-page': other(HTML, '/servers/{server}/', 'what one server costs, for people', SERVER),
  'server-markdown': other(
    MARKDOWN,
    '/servers/{server}.md',
    'what one server costs, in plain text',
    SERVER,
  ),
  'server-csv': other(CSV, '/servers/{server}.csv', 'the tools of one server as a table', SERVER),
  'server-json': json(
    '/api/servers/{server}.json',
    'a server with each of its definitions',
    'server',
    SERVER,
  ),
  'server-weigh': json(
    '/api/servers/{server}/weigh.json',
    'what a browser needs to weigh the figures of a server again',
    'article-weigh',
    { server: `${SERVER.server}; or all` },
  ),
  'tool-page': other(
    HTML,
    '/servers/{server}/tools/{tool}/',
    'one tool’s definition and its count, for people',
    TOOL,
  ),
  'tool-markdown': other(
    MARKDOWN,
    '/servers/{server}/tools/{tool}.md',
    'one tool’s definition, in plain text',
    TOOL,
  ),
  'weigh-page': other(HTML, '/weigh/', 'a scale for one’s own tools, and a budget, for people'),
  'weigh-markdown': other(MARKDOWN, '/weigh.md', 'how one’s own tools are weighed, in plain text'),
  'clients-page': other(HTML, '/clients/', 'what clients put on the wire, for people'),
  'clients-markdown': other(MARKDOWN, '/clients.md', 'what clients put on the wire, in plain text'),
  'clients-json': json('/api/clients.json', 'what clients put on the wire', 'clients'),
  'client-page': other(HTML, '/clients/{client}/', 'what one client sends, for people', CLIENT),
  'client-markdown': other(
    MARKDOWN,
    '/clients/{client}.md',
    'what one client sends, in plain text',
    CLIENT,
  ),
  'client-csv': other(CSV, '/clients/{client}.csv', 'its runs as a table', CLIENT),
  'client-json': json('/api/clients/{client}.json', 'what one client sends', 'client', CLIENT),
  'symptoms-page': other(HTML, '/symptoms/', 'symptoms, their causes and fixes, for people'),
  'symptoms-markdown': other(MARKDOWN, '/symptoms.md', 'symptoms, causes and fixes, in plain text'),
  'symptoms-json': json('/api/symptoms.json', 'symptoms, causes and fixes', 'symptoms'),
  'evidence-page': other(HTML, '/evidence/', 'what the words of evidence mean, for people'),
  'evidence-markdown': other(
    MARKDOWN,
    '/evidence.md',
    'what the words of evidence mean, in plain text',
  ),
  'evidence-json': json('/api/evidence.json', 'the words of evidence with counts', 'evidence'),
  'deploy-page': other(
    HTML,
    '/deploy/',
    'how a site is run, and what a receipt proves, for people',
  ),
  'deploy-markdown': other(MARKDOWN, '/deploy.md', 'how a site is run, in plain text'),
  'directory-page': other(HTML, '/directory/', 'the list of commands and addresses, for people'),
  'directory-entry-page': other(HTML, '/directory/{id}/', 'a command or address, for people', ID),
  'directory-markdown': other(MARKDOWN, '/directory.md', 'commands and addresses, in plain text'),
  'directory-entry-markdown': other(
    MARKDOWN,
    '/directory/{id}.md',
    'a command or address, in plain text',
    ID,
  ),
  'directory-json': json('/api/directory.json', 'the list of commands and addresses', 'directory'),
  'directory-entry-json': json(
    '/api/directory/{id}.json',
    'a command or address, with all options',
    'directory-entry',
    ID,
  ),
  'directory-entry-skill': other(
    MARKDOWN,
    '/api/directory/{id}/SKILL.md',
    'how a model uses a command or address',
    ID,
  ),
  schema: other(JSON_TYPE, '/schemas/{name}.json', 'the JSON Schema of a published document', {
    name: 'the last word of a document’s $schema',
  }),
  'ledger-page': other(HTML, '/ledger/', 'the state of the ledger, for people'),
  'ledger-markdown': other(MARKDOWN, '/ledger.md', 'the state of the ledger, in plain text'),
  'ledger-entry-page': other(HTML, '/ledger/{seq}/', 'an entry of the ledger, for people', SEQ),
  'ledger-entry-markdown': other(MARKDOWN, '/ledger/{seq}.md', 'an entry, in plain text', SEQ),
  'ledger-list-page': other(
    HTML,
    '/ledger/by/{list…}/',
    'the entries of one kind, for people',
    LIST,
  ),
  'ledger-list-markdown': other(
    MARKDOWN,
    '/ledger/by/{list…}.md',
    'the entries of one kind, in plain text',
    LIST,
  ),
  'ledger-legacy-page': other(
    HTML,
    '/ledger/legacy/',
    'what the chains of an older form prove, for people',
  ),
  'ledger-legacy-markdown': other(
    MARKDOWN,
    '/ledger/legacy.md',
    'what the chains of an older form prove, in plain text',
  ),
  'ledger-entries': other(
    PLAIN,
    '/ledger/entries/{file}.jsonl',
    'entries of the ledger, a line each',
    {
      file: 'the number of an entry over 256, rounded down, with three digits',
    },
  ),
  'ledger-file': other(PLAIN, '/ledger/{file}', 'what the log says of itself', {
    file: 'origin, its name; vkey, its public key, where it has one; checkpoint, the newest, where it is signed',
  }),
  'ledger-checkpoints': {
    ...other(PLAIN, '/ledger/checkpoints/{size}', 'a checkpoint that was published', {
      size: 'how many entries it covers',
    }),
    ...SIGNED,
  },
  'ledger-tile': {
    ...other(
      'application/octet-stream',
      '/ledger/tile/{path…}',
      'a tile of the log, as C2SP tlog-tiles has it',
      {
        'path…': 'level and number of the tile, and .p/ with its width where it is not full',
      },
    ),
    ...SIGNED,
  },
  'ledger-proof': {
    ...other(PLAIN, '/ledger/proof/{seq}.tlog-proof', 'the proof that an entry is in the log', {
      seq: 'the number of the entry',
    }),
    ...SIGNED,
  },
  'ledger-objection': {
    ...other(PLAIN, '/ledger/objections/{id}.json', 'the words and the salt of a post', {
      id: 'the id of a post that was taken in and is not erased',
    }),
    only: 'a post was taken in',
  },
  'ledger-blob': other(
    PLAIN,
    '/ledger/blobs/sha256/{two}/{hash}',
    'a captured payload or a file of an article, byte for byte',
    { two: 'the first two digits of the hash', hash: 'the SHA-256 of its bytes, in hex' },
  ),
} as const satisfies Record<string, Endpoint>;

export type EndpointId = keyof typeof ENDPOINTS;

const TAKES_POSTS = { only: 'a server takes posts, on one machine or at the edge' } as const;
const asks = (path: string, answers: string, parts = {}) =>
  ({ method: 'GET', path, answers, type: JSON_TYPE, parts, ...TAKES_POSTS }) as const;
const takes = (takes: Kind, path: string, answers: string, parts = {}) =>
  ({ method: 'POST', path, answers, type: JSON_TYPE, parts, takes, ...TAKES_POSTS }) as const;
const KEYED = { keyed: true } as const;

/**
 * What a server answers beside what was built. The owner's queue is not among them: `accept --site`
 * alone works through it.
 */
export const SERVED = {
  'post-objection': takes(
    'objection',
    '/api/articles/{slug}/objections',
    'the receipt of an objection',
    SLUG,
  ),
  'post-update': takes(
    'update',
    '/api/protocol/thread-update',
    'the receipt of news for an article',
  ),
  'post-claim': {
    ...takes('claim', '/api/protocol/claim', 'the receipt of a claim that the owner proposes'),
    ...KEYED,
  },
  'post-sources': {
    ...takes('sources', '/api/protocol/sources', 'the receipt of sources that the owner proposes'),
    ...KEYED,
  },
  'post-state': asks('/api/objections/{id}', 'what has become of a post', {
    id: 'the id on its receipt',
  }),
  'thread-state': {
    ...asks('/api/protocol/thread-state', 'what was posted to an article, in the log and queued'),
    query: { target: SLUG.slug },
  },
  intake: asks(
    '/api/intake.json',
    'what a post may weigh, whether the owner’s are taken, and the key that signs receipts',
  ),
  health: {
    ...asks('/healthz', 'whether the site is being served'),
    only: '`npm start` serves the site',
  },
} as const satisfies Record<string, Endpoint>;

export type ServedId = keyof typeof SERVED;

/** Every address, what is built first. */
export const ADDRESSES: Readonly<Record<EndpointId | ServedId, Endpoint>> = {
  ...ENDPOINTS,
  ...SERVED,
};

/** Does a server answer at this path, though nothing is built for it? */
export const isServed = (path: string): boolean =>
  endpointOf(path) === undefined &&
  Object.values(SERVED).some((served) => partsIn(served.path, path) !== null);

/** A part in braces, as the path of an endpoint has it. */
const PART = /\{([a-z]+…?)\}/g;

/** Templates as patterns, which a large site asks for by the ten thousand. */
const patterns = new Map<string, { pattern: RegExp; names: string[] }>();

function patternOf(template: string): { pattern: RegExp; names: string[] } {
  const known = patterns.get(template);
  if (known !== undefined) return known;
  const source = template
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(PART, (_, name: string) => (name.endsWith('…') ? '(.+)' : '([^/]+)'));
  const names = [...template.matchAll(PART)].map(([, name]) => name!);
  const made = { pattern: new RegExp(`^${source}$`), names };
  patterns.set(template, made);
  return made;
}

/** What stands in the braces of a template, by name; null when the path is not of it. */
function partsIn(template: string, path: string): Record<string, string> | null {
  const { pattern, names } = patternOf(template);
  const found = pattern.exec(path);
  return found && Object.fromEntries(names.map((name, i) => [name, found[i + 1]!]));
}

/** Which endpoint answers a path from the site's root; one without braces comes first. */
export function endpointOf(asked: string): EndpointId | undefined {
  const ids = Object.keys(ENDPOINTS) as EndpointId[];
  return (
    ids.find((id) => ENDPOINTS[id].path === asked) ??
    ids.find((id) => partsIn(ENDPOINTS[id].path, asked) !== null)
  );
}

/** The same thing in another form. */
export interface Alternate {
  path: string;
  /** The media type, without its charset. */
  type: string;
  answers: string;
}

/** The last words of endpoints that hold the whole of a page; the others hold a part or a view of it. */
const WHOLE = new Set(['markdown', 'json', 'csv', 'skill']);

/**
 * The other forms of the page at a path: the endpoints called as its own, up to the last word, whose
 * parts the path fills. `/a/x/` has `/a/x.md`, `/api/articles/x.json` and its skill.
 */
export function alternatesOf(page: string): Alternate[] {
  const id = endpointOf(page);
  const parts = id && partsIn(ENDPOINTS[id].path, page);
  if (id === undefined || !parts) return [];
  const called = id.replace(/-page$/, '');
  return Object.entries(ENDPOINTS).flatMap(([other, { path, type, answers }]) => {
    const own = other.startsWith(`${called}-`) && WHOLE.has(other.slice(called.length + 1));
    const needed = [...path.matchAll(PART)].map(([, name]) => name!);
    if (!own || needed.some((name) => parts[name] === undefined)) return [];
    const filled = path.replace(PART, (_, name: string) => parts[name]!);
    return { path: filled, type: type.split(';')[0]!, answers };
  });
}
