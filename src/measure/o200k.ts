/** The o200k_base tokenizer, made at its first use: reading its vocabulary takes a while. */
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { createTokenizer, parseRanks, type Tokenizer } from './tokens.ts';

let made: Tokenizer | undefined;

/** The one o200k_base tokenizer of this process or page; js-tiktoken gives the same tokens. */
export function o200k(): Tokenizer {
  made ??= createTokenizer(
    { patterns: [o200kBase.pat_str], ranks: parseRanks(o200kBase.bpe_ranks) },
    'o200k_base',
  );
  return made;
}
