/**
 * Derives a figure again from what it names: entries by their leaf hashes, payloads by theirs, then the
 * modules that the build used. Pure; bytes, tokenizer and figures.ts come in. It never derives
 * from bytes that are not those which the ledger names.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { FILE_LINES, fileLines, fileName } from '../ledger/file.ts';
import { hex, leafHash } from '../ledger/tree.ts';
import { eraFigures } from '../measure/eras.ts';
import {
  type Captures,
  type DeriveFigures,
  decimal,
  type Figure,
  format,
  type WeighedServer,
} from '../measure/figure.ts';
import { builtInFigures } from '../measure/figures.ts';
import { compareReleases, measureCatalogue, releaseFigures } from '../measure/history.ts';
import { parsePayload } from '../measure/payload.ts';
import { type Digest, requestFigures, type SentRequest } from '../measure/request.ts';
import type { Tokenizer } from '../measure/tokens.ts';
import { weigh } from '../measure/weigh.ts';
import type { Recipe } from '../render/recipe.ts';

/** How to read what is needed. */
export interface Reader {
  /** The bytes at a path under `/ledger/`; null when it is not there. */
  get(path: string): Promise<Uint8Array | null>;
  tokenizer(): Promise<Tokenizer>;
  /** An article's own figures.ts; null when it has none. */
  figures(slug: string): Promise<DeriveFigures | null>;
}

export type DiffersCode =
  | 'entry.missing'
  | 'entry.altered'
  | 'entry.kind'
  | 'payload.missing'
  | 'payload.altered'
  | 'figure.missing';

/** Something that a figure names is not there, or is not what its hash says. */
export class Differs extends Error {
  readonly code: DiffersCode;

  constructor(code: DiffersCode, message: string) {
    super(message);
    this.name = 'Differs';
    this.code = code;
  }
}

export interface Rederived {
  /** The exact decimal, and what a reader sees. */
  value: string;
  text: string;
  /** Payloads that were fetched and whose hash held, and their bytes together. */
  payloads: number;
  bytes: number;
}

/** What a capture's or a source's entry holds, as far as it is needed; its leaf hash vouches for it. */
interface Body {
  kind?: string;
  server?: string;
  client?: string;
  variant?: string;
  recipe?: { servers: string[] };
  package?: { name: string; version: string };
  answer?: { protocol_negotiated: string; same_order: boolean; same_bytes: boolean } | null;
  blob?: { sha256: string; bytes: number } | null;
  id?: string;
  figures?: { name: string; value: string; unit: string }[];
}

/** Derives figures one after another, and keeps what it has weighed. */
export class Rederiver {
  readonly #recipe: Recipe;
  readonly #reader: Reader;
  readonly #files = new Map<string, Promise<Uint8Array[]>>();
  readonly #weighed = new Map<string, Promise<{ server: WeighedServer; bytes: number }>>();
  readonly #catalogues = new Map<string, ReturnType<typeof measureCatalogue>>();
  #own: Promise<Record<string, Omit<Figure, 'id'>>> | undefined;

  constructor(recipe: Recipe, reader: Reader) {
    this.#recipe = recipe;
    this.#reader = reader;
  }

  /** Throws Differs; and what parsePayload and figures.ts throw. */
  async figure(id: string): Promise<Rederived> {
    const { servers, figures } = this.#recipe;
    const { inputs } = figures[id] ?? missing(id);
    const used = new Set<string>();
    const weighed = async (leaves: readonly string[]): Promise<WeighedServer[]> => {
      const all: WeighedServer[] = [];
      for (const leaf of leaves) {
        used.add(leaf);
        all.push((await this.#weigh(leaf)).server);
      }
      return all;
    };
    const among = (leaves: readonly string[]) => leaves.filter((leaf) => inputs.includes(leaf));

    let found: Omit<Figure, 'id'> | undefined;
    if (id.startsWith('servers.')) {
      found = builtInFigures(await weighed(among(servers))).find((one) => one.id === id);
    } else if (id.startsWith('eras.')) {
      found = eraFigures(await weighed(among(servers)), []).find((one) => one.id === id);
    } else if (id.startsWith('releases.')) {
      found = releaseFigures(await this.#histories(among, weighed)).find((one) => one.id === id);
    } else {
      for (const leaf of this.#everything()) used.add(leaf);
      this.#own ??= this.#derive(weighed);
      this.#own.catch(() => {
        this.#own = undefined; // what failed may be tried again
      });
      found = (await this.#own)[id];
    }
    if (found === undefined) return missing(id);
    let bytes = 0;
    for (const leaf of used) bytes += (await this.#weigh(leaf)).bytes;
    return { value: decimal(found), text: format(found), payloads: used.size, bytes };
  }

  /** Every payload that figures.ts is given. */
  #everything(): string[] {
    const { servers, histories } = this.#recipe;
    return [...servers, ...histories.flatMap(({ releases }) => releases)];
  }

  /** What the article's own figures.ts makes of all that it is given; nothing when it has none. */
  async #derive(
    weighed: (leaves: readonly string[]) => Promise<WeighedServer[]>,
  ): Promise<Record<string, Omit<Figure, 'id'>>> {
    const derive = await this.#reader.figures(this.#recipe.slug);
    if (derive === null) return {};
    const histories = await this.#histories((leaves) => [...leaves], weighed);
    const servers = await weighed(this.#recipe.servers);
    const requests = await this.#requests();
    const known = [
      ...builtInFigures(servers),
      ...releaseFigures(histories),
      ...requestFigures(requests, () => null),
      ...(await this.#cited()),
    ];
    const given: Captures = {
      servers,
      histories,
      requests,
      figures: new Map(known.map((one) => [one.id, one])),
    };
    return derive(given).figures;
  }

  async #histories(
    pick: (leaves: readonly string[]) => string[],
    weighed: (leaves: readonly string[]) => Promise<WeighedServer[]>,
  ) {
    const tokenizer = await this.#reader.tokenizer();
    const all = [];
    for (const { releases, ...about } of this.#recipe.histories) {
      const captured = (await weighed(pick(releases))).map((one) => {
        // Every figure of an article asks for the same releases: each is measured once.
        const catalogue =
          this.#catalogues.get(one.leaf) ??
          measureCatalogue(one.tools, { shape: 'anthropic', server: about.name, tokenizer });
        this.#catalogues.set(one.leaf, catalogue);
        return { ...one, catalogue };
      });
      all.push({ ...about, releases: compareReleases(captured) });
    }
    return all;
  }

  /**
   * What clients sent, from digests that hash to what their entries name. Nothing in them was counted
   * here, so that they serve only figures that rest on payloads beside them. No price is known here.
   */
  async #requests(): Promise<SentRequest[]> {
    const all: SentRequest[] = [];
    for (const leaf of this.#recipe.requests) {
      const { kind, client, variant, recipe, package: pkg, blob } = await this.#entry(leaf);
      if (kind !== 'client_request' || !client || !variant || !recipe || !pkg || !blob) {
        throw new Differs('entry.kind', `entry ${leaf} holds no request of a client`);
      }
      const { servers } = recipe;
      const digest = JSON.parse(new TextDecoder().decode(await this.#payload(blob))) as Digest;
      all.push({ client, version: pkg.version, variant, leaf, servers, digest });
    }
    return all;
  }

  /** The article's cited numbers. Their words are the build's affair; no value depends on them. */
  async #cited(): Promise<Figure[]> {
    const all: Figure[] = [];
    for (const leaf of this.#recipe.sources) {
      const { id, figures = [] } = await this.#entry(leaf);
      for (const { name, value, unit } of figures) {
        all.push({
          id: `sources.${id}.${name}`,
          value: Number(value),
          decimals: value.split('.')[1]?.length ?? 0,
          unit,
          label: name,
          method: 'cited/quote@1',
          status: 'externally_attested',
          inputs: [leaf],
        });
      }
    }
    return all;
  }

  #weigh(leaf: string): Promise<{ server: WeighedServer; bytes: number }> {
    let weighed = this.#weighed.get(leaf);
    if (weighed === undefined) {
      weighed = this.#capture(leaf);
      this.#weighed.set(leaf, weighed);
      weighed.catch(() => this.#weighed.delete(leaf)); // what failed may be tried again
    }
    return weighed;
  }

  async #capture(leaf: string): Promise<{ server: WeighedServer; bytes: number }> {
    const { kind, server, package: pkg, answer, blob } = await this.#entry(leaf);
    if (kind !== 'tools_list' || server === undefined || !pkg || !answer || !blob) {
      throw new Differs('entry.kind', `entry ${leaf} holds no list of tools`);
    }
    const bytes = await this.#payload(blob);
    const tools = parsePayload(bytes);
    const tokenizer = await this.#reader.tokenizer();
    const weighed: WeighedServer = {
      name: server,
      package: pkg.name,
      version: pkg.version,
      leaf,
      sha256: blob.sha256,
      protocol: answer.protocol_negotiated,
      sameOrder: answer.same_order,
      sameBytes: answer.same_bytes,
      tools,
      weight: weigh(tools, { shape: 'anthropic', server, tokenizer }),
    };
    return { server: weighed, bytes: bytes.length };
  }

  async #payload(blob: { sha256: string; bytes: number }): Promise<Uint8Array> {
    const path = `blobs/sha256/${blob.sha256.slice(0, 2)}/${blob.sha256}`;
    const bytes = await this.#reader.get(path);
    if (bytes === null) throw new Differs('payload.missing', `payload ${blob.sha256} is not there`);
    const found = hex(sha256(bytes));
    if (found !== blob.sha256 || bytes.length !== blob.bytes) {
      throw new Differs('payload.altered', `the payload hashes to ${found}, not to ${blob.sha256}`);
    }
    return bytes;
  }

  /** An entry's body, once its line hashes to the leaf. */
  async #entry(leaf: string): Promise<Body> {
    const seq = this.#recipe.entries[leaf];
    if (seq === undefined) throw new Differs('entry.missing', `no entry ${leaf} is known`);
    const path = `entries/${fileName(seq)}`;
    let lines = this.#files.get(path);
    if (lines === undefined) {
      lines = this.#reader.get(path).then((bytes) => fileLines(bytes ?? new Uint8Array()));
      this.#files.set(path, lines);
      lines.catch(() => this.#files.delete(path));
    }
    const line = (await lines)[seq % FILE_LINES];
    if (line === undefined) throw new Differs('entry.missing', `entry ${seq} is not there`);
    if (hex(leafHash(line)) !== leaf) {
      this.#files.delete(path);
      throw new Differs('entry.altered', `entry ${seq} does not hash to ${leaf}`);
    }
    return (JSON.parse(new TextDecoder().decode(line)) as { body: Body }).body;
  }
}

function missing(id: string): never {
  throw new Differs('figure.missing', `no figure ${id} comes of what it names`);
}
