/**
 * What the ledger says now: a pure fold of its entries, one at a time, that refuses an entry whose
 * references do not hold. It never orders by time and never forgets why: what was replaced stays in
 * the entries, and what was retracted says so here.
 */
import { Broken } from './broken.ts';
import { blobsOf, type CaptureBody, type Entry, type Ref, slotsOf } from './entry.ts';
import { openRotation } from './key.ts';

export type EntryType = Entry['type'];
export type EntryOf<T extends EntryType> = Extract<Entry, { type: T }>;

/** Where something stands in the ledger. `leaf` is lower-case hex; `ts` informs and never orders. */
export interface Receipt {
  seq: number;
  leaf: string;
  ts: string;
}
/** An entry with its receipt. */
export interface Recorded<T extends EntryType = EntryType> extends Receipt {
  entry: EntryOf<T>;
}
/** The put that holds now, and how many there have been. */
export interface Standing<T extends EntryType> {
  current: Recorded<T>;
  revisions: number;
}
/** A capture of one kind with its receipt. */
export interface RecordedCapture<K extends CaptureBody['kind']> extends Receipt {
  entry: EntryOf<'capture.add'> & { body: Extract<CaptureBody, { kind: K }> };
}
export interface CaptureStanding<K extends CaptureBody['kind'] = 'tools_list'> {
  /** The last attempt, whatever came of it. */
  latest: RecordedCapture<K>;
  /** The last one that brought a new payload: figures are derived from it and name its leaf. */
  captured: RecordedCapture<K> | null;
}

/** A post that was taken in, with the last answer to it and, where its words are gone, why. */
export interface Objection {
  received: Recorded<'objection.receive'>;
  resolved: Recorded<'objection.resolve'> | null;
  erased: Recorded<'erase'> | null;
}

export type FaultCode =
  | 'ref.replaces'
  | 'ref.source'
  | 'ref.claim'
  | 'ref.input'
  | 'ref.unchanged'
  | 'ref.retract'
  | 'ref.article'
  | 'ref.blob'
  | 'ref.redacted'
  | 'ref.key'
  | 'ref.objection';
/** Why an entry can't be taken in. */
export interface Fault<C extends string = string> {
  code: C;
  /** Null when it is about no entry in particular. */
  seq: number | null;
  message: string;
}

/** `notion@2.5.2`: the key of `captures`. */
export const captureKey = (server: string, version: string): string => `${server}@${version}`;
/** `claude-code@2.1.304/baseline`: the key of `requests`. */
export const requestKey = (client: string, version: string, variant: string): string =>
  `${client}@${version}/${variant}`;
/** `cloudflare/work`: the key of `logs`. */
export const logKey = (source: string, name: string): string => `${source}/${name}`;
/**
 * What a capture is called: `notion@2.5.2`, `discover:notion@2.5.2`, `count:qwen3`,
 * `codex@1.2.3/baseline`, `log:cloudflare/work`.
 */
export function captureName(body: CaptureBody): string {
  if (body.kind === 'gateway_log') return `log:${logKey(body.source, body.name)}`;
  if (body.kind === 'count') return `count:${body.tokenizer}`;
  if (body.kind === 'client_request') {
    return requestKey(body.client, body.package.version, body.variant);
  }
  const key = captureKey(body.server, body.package.version);
  return body.kind === 'discover' ? `discover:${key}` : key;
}
/** `what-mcp-tools-cost/s1`, `/s1` for what belongs to no article: the key of all that is put. */
export const postKey = (article: string | null, id: string): string => `${article ?? ''}/${id}`;

export class Fold {
  #size = 0;
  #head: string;
  readonly #captures: Map<string, CaptureStanding>;
  readonly #discoveries: Map<string, CaptureStanding<'discover'>>;
  readonly #counts: Map<string, CaptureStanding<'count'>>;
  readonly #requests: Map<string, CaptureStanding<'client_request'>>;
  readonly #logs: Map<string, CaptureStanding<'gateway_log'>>;
  readonly #sources: Map<string, Standing<'source.put'>>;
  readonly #claims: Map<string, Standing<'claim.put'>>;
  readonly #retracted: Map<string, Recorded<'claim.retract'>>;
  readonly #articles: Map<string, Standing<'article.put'>>;
  readonly #legacy: Map<string, Standing<'import.legacy'>>;
  readonly #keys: Recorded<'key.put'>[];
  readonly #redacted: Map<string, Recorded<'blob.redact'>>;
  readonly #objections: Map<string, Objection>;
  /** Names of all blobs that entries stand on. */
  readonly #blobs: Set<string>;
  /**
   * Leaves that figures may rest on, with the payload of those that have one. Attempts that brought
   * nothing new are not among them, so that memory grows with payloads and posts, not with entries.
   */
  readonly #inputs: Map<string, string | null>;

  /** Empty, before the entry whose `prev` is `head`; or a copy of another. */
  constructor(from: { genesis: string } | Fold) {
    const was = from instanceof Fold ? from : null;
    this.#head = from instanceof Fold ? from.#head : from.genesis;
    this.#size = was?.size ?? 0;
    this.#captures = new Map(was?.captures);
    this.#discoveries = new Map(was?.discoveries);
    this.#counts = new Map(was?.counts);
    this.#requests = new Map(was?.requests);
    this.#logs = new Map(was?.logs);
    this.#sources = new Map(was?.sources);
    this.#claims = new Map(was?.claims);
    this.#retracted = new Map(was?.retracted);
    this.#articles = new Map(was?.articles);
    this.#legacy = new Map(was?.legacy);
    this.#keys = [...(was?.keys ?? [])];
    this.#redacted = new Map(was?.redacted);
    this.#objections = new Map(was?.objections);
    this.#blobs = new Set(was === null ? [] : was.#blobs);
    this.#inputs = new Map(was === null ? [] : was.#inputs);
  }

  /** Entries taken in: the `seq` of the next. */
  get size(): number {
    return this.#size;
  }
  /** Leaf of the last entry, or the genesis hash: the `prev` of the next. */
  get head(): string {
    return this.#head;
  }
  /** Listings, by captureKey. */
  get captures(): ReadonlyMap<string, CaptureStanding> {
    return this.#captures;
  }
  /** Answers to `server/discover`, by captureKey. */
  get discoveries(): ReadonlyMap<string, CaptureStanding<'discover'>> {
    return this.#discoveries;
  }
  /** By the tokenizer's name. */
  get counts(): ReadonlyMap<string, CaptureStanding<'count'>> {
    return this.#counts;
  }
  /** By requestKey. */
  get requests(): ReadonlyMap<string, CaptureStanding<'client_request'>> {
    return this.#requests;
  }
  /** Rows of gateways' and clients' logs, by logKey. */
  get logs(): ReadonlyMap<string, CaptureStanding<'gateway_log'>> {
    return this.#logs;
  }
  /** By postKey. */
  get sources(): ReadonlyMap<string, Standing<'source.put'>> {
    return this.#sources;
  }
  /** By postKey. A retracted claim stays here and is in `retracted` too. */
  get claims(): ReadonlyMap<string, Standing<'claim.put'>> {
    return this.#claims;
  }
  /** By postKey, until the claim is put again. */
  get retracted(): ReadonlyMap<string, Recorded<'claim.retract'>> {
    return this.#retracted;
  }
  /** By postKey(slug, slug). */
  get articles(): ReadonlyMap<string, Standing<'article.put'>> {
    return this.#articles;
  }
  /** What older chains came to, by postKey. */
  get legacy(): ReadonlyMap<string, Standing<'import.legacy'>> {
    return this.#legacy;
  }
  /** Every change of the log's key, in order; empty while it has its first. */
  get keys(): readonly Recorded<'key.put'>[] {
    return this.#keys;
  }
  /** Why a payload is no longer kept, by its SHA-256. */
  get redacted(): ReadonlyMap<string, Recorded<'blob.redact'>> {
    return this.#redacted;
  }
  /** Every post that was taken in, by its id, in the order of the ledger. */
  get objections(): ReadonlyMap<string, Objection> {
    return this.#objections;
  }
  /** May a figure rest on this leaf: is it a source, or a capture with a payload of its own that is kept? */
  hasInput(leaf: string): boolean {
    const blob = this.#inputs.get(leaf);
    return blob !== undefined && (blob === null || !this.#redacted.has(blob));
  }

  /** A copy that grows on its own. */
  fork(): Fold {
    return new Fold(this);
  }

  /** Takes an entry in, or says why not and stays as it was. `seq` and `prev` are the caller's to check. */
  apply(entry: Entry, leaf: string): Fault<FaultCode> | null {
    const fault = this.#take(entry, leaf);
    if (fault !== null) return { ...fault, seq: entry.seq };
    this.#size = entry.seq + 1;
    this.#head = leaf;
    return null;
  }

  #take(entry: Entry, leaf: string): { code: FaultCode; message: string } | null {
    const at: Receipt = { seq: entry.seq, leaf, ts: entry.ts };
    const key = postKey(entry.article, 'id' in entry.body ? entry.body.id : '');
    const blobs = blobsOf(entry);
    const gone = blobs.find(({ sha256 }) => this.#redacted.has(sha256));
    if (gone !== undefined) return no('ref.redacted', `names blob ${gone.sha256}, now redacted`);
    const fault = this.#put(entry, at, key);
    if (fault === null) for (const { sha256 } of blobs) this.#blobs.add(sha256);
    return fault;
  }

  #put(entry: Entry, at: Receipt, key: string): { code: FaultCode; message: string } | null {
    const { leaf } = at;
    switch (entry.type) {
      case 'capture.add': {
        const { body } = entry;
        // Spelled out a kind at a time, since a map of one kind takes no other.
        if (body.kind === 'client_request') {
          const slot = requestKey(body.client, body.package.version, body.variant);
          return this.#capture(this.#requests, slot, { ...at, entry: { ...entry, body } });
        }
        if (body.kind === 'gateway_log') {
          const slot = logKey(body.source, body.name);
          return this.#capture(this.#logs, slot, { ...at, entry: { ...entry, body } });
        }
        if (body.kind === 'count') {
          const slot = body.tokenizer;
          return this.#capture(this.#counts, slot, { ...at, entry: { ...entry, body } });
        }
        const slot = captureKey(body.server, body.package.version);
        return body.kind === 'discover'
          ? this.#capture(this.#discoveries, slot, { ...at, entry: { ...entry, body } })
          : this.#capture(this.#captures, slot, { ...at, entry: { ...entry, body } });
      }
      case 'source.put': {
        const fault = replaces(key, this.#sources.get(key), entry.body.replaces);
        if (fault !== null) return fault;
        put(this.#sources, key, { ...at, entry });
        this.#inputs.set(leaf, null);
        return null;
      }
      case 'claim.put': {
        const fault =
          replaces(key, this.#claims.get(key), entry.body.replaces) ??
          this.#refs('ref.source', entry, entry.body.sources) ??
          this.#slots(entry.body.slots);
        if (fault !== null) return fault;
        put(this.#claims, key, { ...at, entry });
        this.#retracted.delete(key);
        return null;
      }
      case 'claim.retract': {
        const current = this.#claims.get(key)?.current;
        if (current?.leaf !== entry.body.claim) {
          return no('ref.retract', `retracts ${key}, but not as it stands`, current);
        }
        if (this.#retracted.has(key)) return no('ref.retract', `${key} is retracted already`);
        this.#retracted.set(key, { ...at, entry });
        return null;
      }
      case 'article.put': {
        if (entry.article !== entry.body.id) {
          return no('ref.article', `article ${entry.body.id} is filed under ${entry.article}`);
        }
        const fault =
          replaces(key, this.#articles.get(key), entry.body.replaces) ??
          this.#refs('ref.source', entry, entry.body.sources) ??
          this.#refs('ref.claim', entry, entry.body.claims) ??
          this.#slots(slotsOf(entry.body));
        if (fault !== null) return fault;
        put(this.#articles, key, { ...at, entry });
        return null;
      }
      case 'objection.receive': {
        const { id, claim } = entry.body;
        const was = this.#objections.get(id)?.received;
        if (was !== undefined) return no('ref.objection', `post ${id} was taken in already`, was);
        if (entry.article === null) return no('ref.objection', `post ${id} is about no article`);
        const fault = claim === null ? null : this.#stands(entry, claim);
        if (fault !== null) return fault;
        this.#objections.set(id, { received: { ...at, entry }, resolved: null, erased: null });
        return null;
      }
      case 'objection.resolve': {
        const { id, receive, claim, replaces } = entry.body;
        const post = this.#objections.get(id);
        const fault =
          this.#posted(entry, receive, post) ??
          (claim === null ? null : this.#stands(entry, claim));
        if (fault !== null) return fault;
        if ((post!.resolved?.leaf ?? null) !== replaces) {
          return no('ref.replaces', `does not replace the answer to ${id}`, post!.resolved);
        }
        this.#objections.set(id, { ...post!, resolved: { ...at, entry } });
        return null;
      }
      case 'erase': {
        const { id, receive } = entry.body;
        const post = this.#objections.get(id);
        const fault = this.#posted(entry, receive, post);
        if (fault !== null) return fault;
        if (post!.erased !== null) {
          return no('ref.objection', `post ${id} is erased already`, post!.erased);
        }
        this.#objections.set(id, { ...post!, erased: { ...at, entry } });
        return null;
      }
      case 'blob.redact': {
        const { sha256 } = entry.body;
        if (!this.#blobs.has(sha256)) return no('ref.blob', `no entry names blob ${sha256}`);
        const was = this.#redacted.get(sha256);
        if (was !== undefined) return no('ref.redacted', `blob ${sha256} is redacted already`, was);
        this.#redacted.set(sha256, { ...at, entry });
        return null;
      }
      case 'key.put': {
        const was = this.#keys.at(-1);
        if (was !== undefined && was.entry.body.vkey !== entry.body.replaces) {
          return no('ref.key', 'replaces a key that is not the current one', was);
        }
        try {
          openRotation(entry.body);
        } catch (error) {
          if (!(error instanceof Broken)) throw error;
          return no('ref.key', error.message);
        }
        this.#keys.push({ ...at, entry });
        return null;
      }
      case 'import.legacy': {
        const fault = replaces(key, this.#legacy.get(key), entry.body.replaces);
        if (fault !== null) return fault;
        put(this.#legacy, key, { ...at, entry });
        return null;
      }
    }
  }

  #capture<K extends CaptureBody['kind']>(
    into: Map<string, CaptureStanding<K>>,
    slot: string,
    latest: RecordedCapture<K>,
  ) {
    const { outcome, blob, unchanged_from }: CaptureBody = latest.entry.body;
    const was = into.get(slot)?.captured ?? null;
    if (outcome === 'unchanged') {
      if (was === null || was.leaf !== unchanged_from) {
        return no('ref.unchanged', `unchanged_from is not the last capture of ${slot}`, was);
      }
      const { blob: before }: CaptureBody = was.entry.body;
      if (before?.sha256 !== blob?.sha256) {
        return no('ref.unchanged', `says ${slot} is unchanged but names another payload`);
      }
    }
    if (outcome === 'captured') this.#inputs.set(latest.leaf, blob?.sha256 ?? null);
    into.set(slot, { latest, captured: outcome === 'captured' ? latest : was });
    return null;
  }

  /** Is there such a post in the same article, and is it the one that is meant? */
  #posted({ article, body }: Entry, receive: string, post: Objection | undefined) {
    const id = 'id' in body ? body.id : '';
    if (post === undefined) return no('ref.objection', `post ${id} was never taken in`);
    if (post.received.leaf !== receive || post.received.entry.article !== article) {
      return no('ref.objection', `names post ${id}, but not as it was taken in`, post.received);
    }
    return null;
  }

  /** Does the claim stand in the same article, be it retracted, as the reference has it? */
  #stands({ article }: Entry, { id, leaf }: Ref) {
    const key = postKey(article, id);
    const current = this.#claims.get(key)?.current;
    if (current?.leaf === leaf) return null;
    return no('ref.claim', `names claim ${key}, but not as it stands`, current);
  }

  /** Does each reference name what stands now in the same article? */
  #refs(code: 'ref.source' | 'ref.claim', { article }: Entry, refs: readonly Ref[]) {
    const standing = code === 'ref.source' ? this.#sources : this.#claims;
    for (const { id, leaf } of refs) {
      const key = postKey(article, id);
      const current = standing.get(key)?.current;
      if (current === undefined) return no(code, `names ${key}, which was never put`);
      if (current.leaf !== leaf) return no(code, `names ${key}, but not as it stands`, current);
      if (code === 'ref.claim' && this.#retracted.has(key)) {
        return no(code, `names ${key}, which is retracted`);
      }
    }
    return null;
  }

  #slots(slots: Readonly<Record<string, { inputs: readonly string[] }>>) {
    for (const [name, { inputs }] of Object.entries(slots)) {
      for (const leaf of inputs) {
        if (this.hasInput(leaf)) continue;
        const what = this.#inputs.has(leaf)
          ? 'whose payload is redacted'
          : 'no capture and no source';
        return no('ref.input', `${name} rests on ${leaf}, ${what}`);
      }
    }
    return null;
  }
}

function no<C extends FaultCode>(code: C, message: string, current?: Receipt | null) {
  const now = current ? ` (that is entry ${current.seq}, ${current.leaf})` : '';
  return { code, message: `${message}${now}` };
}

function replaces(key: string, was: { current: Receipt } | undefined, leaf: string | null) {
  if ((was?.current.leaf ?? null) === leaf) return null;
  return was === undefined
    ? no('ref.replaces', `replaces ${leaf}, but ${key} was never put`)
    : no('ref.replaces', `does not replace ${key} as it stands`, was.current);
}

function put<T extends EntryType>(
  into: Map<string, Standing<T>>,
  key: string,
  current: Recorded<T>,
): void {
  into.set(key, { current, revisions: (into.get(key)?.revisions ?? 0) + 1 });
}
