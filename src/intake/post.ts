/**
 * What may be posted, and the one form that it is hashed in. Pure, and the same in a browser, on a
 * server and at the edge: whoever posted can work out the hashes of a receipt again. It never changes
 * what a text says, only how its characters are encoded.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { isDay } from '../day.ts';
import { canonical } from '../ledger/canonical.ts';
import { type POSTS, SOURCE_TYPES, SURFACES, TIERS } from '../ledger/terms.ts';
import { hex } from '../ledger/tree.ts';

export type Kind = (typeof POSTS)[number];

/** Most bytes of a request's body. */
export const MAX_BODY = 16_384;

type Value = string | Fields | Value[] | null;
/** A post, or a part of it: every field of its form is there, null where nothing was said. */
export interface Fields {
  [name: string]: Value;
}
export interface Post {
  kind: Kind;
  /** Slug of the article that it is about. */
  article: string;
  /** The claim that it attacks. */
  claim: string | null;
  /** All of it as canonical JSON, article and kind included: what is hashed. */
  body: string;
}
/** What is wrong with a post: the field at fault, `sources.0.url`, and why, as the end of a sentence. */
export interface Fault {
  field: string;
  why: string;
}

/** What is read, as JSON Schema tells it; a text is held to it once it is cleaned. */
export interface Schema {
  [word: string]: Schema | string | number | boolean | (Schema | string)[];
}
/** Reads one field; throws Bad. `path` is its name. */
interface Read<T extends Value = Value> {
  (value: unknown, path: string): T;
  schema: Schema;
  /** It may be left out. */
  open?: true;
}
class Bad extends Error {
  readonly field: string;
  constructor(field: string, why: string) {
    super(why);
    this.field = field;
  }
}

const told = <T extends Value>(
  schema: Schema,
  read: (value: unknown, path: string) => T,
): Read<T> => Object.assign(read, { schema });

/** A text in the encoding that is hashed: NFC, lines ended by LF, no space around it. */
export const clean = (text: string): string =>
  text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

/** What a text must be: a pattern, which a schema tells too, and what no pattern says. */
interface Form {
  is: RegExp;
  called: string;
  holds?: (text: string) => boolean;
}
const text = (max: number, form?: Form): Read =>
  told({ type: 'string', minLength: 1, maxLength: max, ...formed(form) }, (value, path) => {
    if (typeof value !== 'string') throw new Bad(path, 'is a text that must be given');
    if (!value.isWellFormed()) throw new Bad(path, 'holds half a character');
    const cleaned = clean(value);
    if (cleaned === '') throw new Bad(path, 'must not be empty');
    if (cleaned.length > max) throw new Bad(path, `has more than ${max} characters`);
    if (form !== undefined && !(form.is.test(cleaned) && form.holds?.(cleaned) !== false)) {
      throw new Bad(path, `is not ${form.called}`);
    }
    return cleaned;
  });
const formed = (form?: Form): Schema =>
  form === undefined ? {} : { pattern: form.is.source, description: form.called };
const oneOf = (words: readonly string[]): Read =>
  told({ enum: [...words] }, (value, path) => {
    if (typeof value !== 'string' || !words.includes(value)) {
      throw new Bad(path, `is one of ${words.join(', ')}`);
    }
    return value;
  });
/** A form sends what was left open as an empty text. */
const maybe = (read: Read): Read => {
  const reads = told<Value>({ anyOf: [read.schema, { type: 'null' }] }, (value, path) =>
    value === undefined || value === null || value === '' ? null : read(value, path),
  );
  return Object.assign(reads, { open: true } as const);
};
const list = (read: Read, least: number, most: number): Read =>
  told({ type: 'array', items: read.schema, minItems: least, maxItems: most }, (value, path) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) {
      throw new Bad(path, `is a list of ${least} to ${most}`);
    }
    return value.map((one, at) => read(one, `${path}.${at}`));
  });
function record(fields: Readonly<Record<string, Read>>): Read<Fields> {
  const names = Object.keys(fields);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, fields[name]!.schema])),
    required: names.filter((name) => fields[name]!.open !== true),
    additionalProperties: false,
  };
  return told(schema, (value, path) => {
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Bad(path === '' ? 'body' : path, 'is a JSON object');
    }
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
    // Told as JSON: the name is whatever a stranger made it.
    if (unknown !== undefined) {
      throw new Bad(at(unknown.slice(0, 64)), `is not among ${names.join(', ')}`);
    }
    return Object.fromEntries(
      Object.entries(fields).map(([name, read]) => [
        name,
        read(Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined, at(name)),
      ]),
    );
  });
}

const ID = { is: /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, called: 'an id of a-z, 0-9, -, _ and .' };
const SLUG = { is: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, called: 'the name of an article' };
const HTTP: Form = {
  is: /^https?:\/\/[^\s/]+(?:\/\S*)?$/,
  called: 'an http or https address',
  holds: (address) => URL.canParse(address),
};
const DAY: Form = { is: /^\d{4}-\d\d-\d\d$/, called: 'a day as YYYY-MM-DD', holds: isDay };
const name = text(200);

/** The form of each kind. `slug` or `target` names the article, where the address does not. */
const FORMS: Readonly<Record<Kind, Read<Fields>>> = {
  objection: record({
    actor: name,
    objection: text(8_000),
    surface: oneOf(Object.keys(SURFACES)),
    claim_id: maybe(text(64, ID)),
    minimum_patch: maybe(text(4_000)),
  }),
  update: record({ actor: name, target: text(64, SLUG), raw_text: text(12_000) }),
  claim: record({
    slug: text(64, SLUG),
    text: text(2_000),
    tier: oneOf(TIERS),
    source_ids: list(text(64, ID), 1, 20),
    who_claims: name,
    rationale: text(4_000),
    section: maybe(text(200)),
    why: maybe(text(2_000)),
  }),
  sources: record({
    slug: text(64, SLUG),
    sources: list(
      record({
        type: oneOf(SOURCE_TYPES),
        url: text(2_000, HTTP),
        title: text(500),
        quote: maybe(text(4_000)),
        summary: text(2_000),
        author: maybe(name),
        published: maybe(text(10, DAY)),
      }),
      1,
      10,
    ),
  }),
};

/** What a post of a kind holds, as JSON Schema. */
export const postSchema = (kind: Kind): Schema => FORMS[kind].schema;

/** Reads a post of a kind; `article` is the slug that the address names, null where the body does. */
export function readPost(kind: Kind, article: string | null, value: unknown): Post | Fault {
  try {
    const { slug, target, ...fields } = FORMS[kind](value, '');
    const about = article ?? slug ?? target;
    return {
      kind,
      article: about as string,
      claim: (fields['claim_id'] as string | undefined) ?? null,
      body: canonical({ ...fields, article: about, kind }),
    };
  } catch (error) {
    if (error instanceof Bad) return { field: error.field, why: error.message };
    throw error;
  }
}

/** SHA-256 of the canonical body, lower-case hex. */
export const bodyHash = (body: string): string => hex(sha256(new TextEncoder().encode(body)));
