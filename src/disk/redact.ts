/**
 * Takes secrets out of a payload before it is hashed. It touches only the characters of JSON text
 * that a rule matched; every other byte stays as the server sent it. It fails closed: what still
 * looks like a secret afterwards is refused, never stored.
 */
import { Problem } from '../problem.ts';

export interface Redaction {
  /** Id of the rule that matched. */
  rule: string;
  /** JSON pointer, the page's number first: `/0/result/tools/3/description`. */
  pointer: string;
}
/** What this machine alone knows to be its own. */
export interface Known {
  /** Environment given to the server, by name. */
  env?: Readonly<Record<string, string>>;
  /** Folders whose path tells whose machine it is: the home folder, the project's. */
  folders?: readonly string[];
}

interface Rule {
  id: string;
  pattern: RegExp;
  /** Is this match real? Documentation is full of keys that are not. Group 1, or all, is what goes. */
  real?: (secret: string) => boolean;
}

const MIN_ENTROPY = 3; // bits a character: 16 random hex digits have 3 or more, `xxxx` has none

/** Random enough for a key: not one character again and again, not the alphabet, not said to be made up. */
function isRandom(secret: string): boolean {
  const counts = new Map<string, number>();
  let steps = 0;
  for (let i = 0; i < secret.length; i++) {
    counts.set(secret[i]!, (counts.get(secret[i]!) ?? 0) + 1);
    if (i > 0 && secret.charCodeAt(i) - secret.charCodeAt(i - 1) === 1) steps++;
  }
  let entropy = 0;
  for (const n of counts.values()) entropy -= (n / secret.length) * Math.log2(n / secret.length);
  return (
    entropy >= MIN_ENTROPY &&
    steps < secret.length / 2 &&
    !/example|placeholder|your|dummy|sample|xxxx/i.test(secret)
  );
}
/** Where no prefix vouches for it, words joined together must not pass for a key. */
const isKey = (secret: string): boolean =>
  /\d/.test(secret) && /[a-z]/i.test(secret) && isRandom(secret);

/** A token with a prefix of its own: the rest must be random, or the prefix stands in an example. */
function token(id: string, prefix: string, rest: string): Rule {
  const head = new RegExp(`^${prefix}`);
  return {
    id,
    pattern: new RegExp(`(?<![A-Za-z0-9])${prefix}${rest}`, 'g'),
    real(secret) {
      const key = secret.replace(head, '');
      return isRandom(key) && (/\d/.test(key) || /[A-Z]/.test(key)); // else it is a slug
    },
  };
}

/** What a member or parameter is called that holds a secret. */
const SECRET_NAME =
  /(?:authorization|cookie|session[-_]?id|api[-_]?key|access[-_]?key|token|secret|password|signature|\bsig)/i;

/**
 * The server chooses the text, so no pattern may take more than linear time: each can begin only
 * where the run it would scan begins, or ends at what another could begin with.
 */
const RULES: readonly Rule[] = [
  token('github-token', 'gh[pousr]_', '[A-Za-z0-9]{36,}'),
  token('github-token', 'github_pat_', '[A-Za-z0-9_]{40,}'),
  token('gitlab-token', 'glpat-', '[A-Za-z0-9_-]{20,}'),
  token('sk-key', 'sk-(?:ant-|proj-|live-|or-)?', '[A-Za-z0-9_-]{20,}'),
  token('stripe-key', '[sr]k_(?:live|test)_', '[A-Za-z0-9]{20,}'),
  token('slack-token', 'x(?:ox[abeoprs]|app)-', '[A-Za-z0-9-]{20,}'),
  token('aws-key-id', '(?:AKIA|ASIA)', '[A-Z0-9]{16}(?![A-Z0-9])'),
  token('google-key', 'AIza', '[A-Za-z0-9_-]{35}'),
  token('google-token', 'ya29\\.', '[A-Za-z0-9_-]{20,}'),
  token('npm-token', 'npm_', '[A-Za-z0-9]{36}'),
  token('notion-token', '(?:ntn|secret)_', '[A-Za-z0-9]{40,}'),
  token('huggingface-token', 'hf_', '[A-Za-z0-9]{30,}'),
  token('organisation-id', 'org-', '[A-Za-z0-9]{24}(?![A-Za-z0-9])'),
  {
    id: 'jwt',
    pattern: /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/g,
    real: (secret) => isRandom(secret.slice(secret.lastIndexOf('.') + 1)),
  },
  {
    id: 'private-key',
    pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----([^-]{100,})-----END/g,
    real: isKey,
  },
  { id: 'authorization', pattern: /\b(?:Bearer|Basic)\s+([\w.~+/-]{20,}=*)/gi, real: isKey },
  { id: 'url-password', pattern: /:\/\/[^\s/:@]+:([^\s/@]{12,})@/g, real: isKey },
  {
    id: 'named-secret',
    pattern: new RegExp(
      `${SECRET_NAME.source}["']?\\s*[=:]\\s*["']?([^\\s"'&;,<>{}[\\]\\\\]{16,})`,
      'gi',
    ),
    real: isKey,
  },
];

const MIN_VALUE = 8; // a shorter value of a variable is a word that may stand anywhere
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const whole = (text: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9_])${escaped(text)}(?![A-Za-z0-9_])`, 'g');

/** Rules for what only this machine knows, in the forms in which it may come back. */
function knownRules({ env = {}, folders = [] }: Known): Rule[] {
  const values = Object.values(env).filter((value) => value.length >= MIN_VALUE);
  return [
    ...values.flatMap((value) =>
      [...new Set([value, encodeURIComponent(value), Buffer.from(value).toString('base64')])].map(
        (form) => ({ id: 'env-value', pattern: whole(form) }),
      ),
    ),
    ...folders
      // Longest first: a project inside a home. `/root` or `/` names nobody, and stands in examples.
      .filter((folder) => folder.split(/[\\/]/).filter(Boolean).length >= 2)
      .sort((a, b) => b.length - a.length)
      .map((folder) => ({ id: 'local-path', pattern: whole(folder.replace(/[\\/]+$/, '')) })),
  ];
}

interface Span {
  from: number;
  to: number;
  rule: string;
}

/** What the rules find in a text, in order; what overlaps goes as one, under the rule that begins first. */
function find(text: string, rules: readonly Rule[]): Span[] {
  const found: Span[] = [];
  for (const { id, pattern, real } of rules) {
    for (const match of text.matchAll(pattern)) {
      const secret = match[1] ?? match[0];
      if (real !== undefined && !real(secret)) continue;
      const from = match.index + match[0].lastIndexOf(secret);
      found.push({ from, to: from + secret.length, rule: id });
    }
  }
  found.sort((a, b) => a.from - b.from || b.to - a.to);
  const spans: Span[] = [];
  for (const span of found) {
    const last = spans.at(-1);
    if (last !== undefined && span.from < last.to) last.to = Math.max(last.to, span.to);
    else spans.push(span);
  }
  return spans;
}

const placeholder = (rule: string): string => `[redacted ${rule}]`;

/**
 * Rewrites the inside of one JSON string, the value of the member `name` where it is one's. `raw` is
 * what stands between the quotes; each character of its text is one of raw's or one escape, so that
 * a span of the text is a span of raw.
 */
function rewrite(
  raw: string,
  name: string | null,
  rules: readonly Rule[],
): { raw: string; rules: string[] } {
  const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  const spans = find(text, rules);
  if (spans.length === 0 && name !== null && SECRET_NAME.test(name) && /^\S{16,}$/.test(text)) {
    if (isKey(text)) spans.push({ from: 0, to: text.length, rule: 'named-secret' });
  }
  if (spans.length === 0) return { raw, rules: [] };
  const offsets: number[] = [];
  for (let at = 0; at < raw.length; ) {
    offsets.push(at);
    at += raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2;
  }
  offsets.push(raw.length);
  let out = '';
  let last = 0;
  for (const { from, to, rule } of spans) {
    out += raw.slice(last, offsets[from]) + placeholder(rule);
    last = offsets[to]!;
  }
  return { raw: out + raw.slice(last), rules: spans.map(({ rule }) => rule) };
}

/** Where in a value the walk stands: the key or index last seen, and whether a key comes next. */
interface Level {
  kind: '{' | '[';
  key: string | number;
  wantsKey: boolean;
}

/** One page: valid JSON already. Walks it with a stack of its own, for it may be nested deeper than ours. */
function redactPage(
  page: string,
  index: number,
  rules: readonly Rule[],
  into: Redaction[],
): string {
  const levels: Level[] = [];
  let out = '';
  let last = 0;
  for (let at = 0; at < page.length; at++) {
    const top = levels.at(-1);
    switch (page[at]) {
      case '{':
        levels.push({ kind: '{', key: '', wantsKey: true });
        break;
      case '[':
        levels.push({ kind: '[', key: 0, wantsKey: false });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (top?.kind === '{') top.wantsKey = true;
        else if (top !== undefined) top.key = Number(top.key) + 1;
        break;
      case '"': {
        const from = at + 1;
        for (at = from; page[at] !== '"'; at++) if (page[at] === '\\') at++;
        const name = top?.kind === '{' && !top.wantsKey ? String(top.key) : null;
        const done = rewrite(page.slice(from, at), name, rules);
        if (top?.wantsKey) {
          top.key = JSON.parse(`"${done.raw}"`) as string;
          top.wantsKey = false;
        }
        if (done.rules.length > 0) {
          const path = levels.map(({ key }) =>
            String(key).replaceAll('~', '~0').replaceAll('/', '~1'),
          );
          const pointer = `/${[index, ...path].join('/')}`;
          for (const rule of done.rules) into.push({ rule, pointer });
          out += page.slice(last, from) + done.raw;
          last = at;
        }
        break;
      }
    }
  }
  return out + page.slice(last);
}

/**
 * Replaces every secret in a payload (JSON lines, one page each) by `[redacted <rule>]` and says
 * which rule replaced what where, in order. Throws Problem: `redact.payload` for bytes that are not
 * UTF-8 JSON lines, `redact.leak` when a secret is left that could not be replaced.
 */
export function redact(
  payload: Uint8Array,
  known: Known = {},
): { payload: Uint8Array; redactions: Redaction[] } {
  const rules = [...knownRules(known), ...RULES];
  const redactions: Redaction[] = [];
  let out: string;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
    out = text
      .split('\n')
      .map((page, index) => {
        if (page === '') return page;
        JSON.parse(page);
        return redactPage(page, index, rules, redactions);
      })
      .join('\n');
  } catch (cause) {
    throw new Problem('redact.payload', `not lines of UTF-8 JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  // Once more over all of it as it will be stored: this sees what stands across strings, and what an
  // escape or a replacement made.
  const again: Redaction[] = [];
  for (const page of out.split('\n')) redactPage(page, 0, rules, again);
  const left = [...find(out, rules), ...again][0];
  if (left !== undefined) {
    throw new Problem('redact.leak', `something that rule ${left.rule} forbids is left`, {
      mend: 'The payload was not stored. Look at it by hand, and give the rule a form it can replace.',
    });
  }
  return { payload: redactions.length === 0 ? payload : new TextEncoder().encode(out), redactions };
}
