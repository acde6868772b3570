/**
 * What a choice of servers costs: context, money, memory. Arithmetic only; every price, window and
 * habit comes in, and none is made up.
 */
import { windowShare } from './context.ts';
import { type CacheLayout, reservedBytes } from './memory.ts';

/** Tokens of one server's definitions: all of them, and the names that stay where they are deferred. */
export interface Load {
  upfront: number;
  deferred: number;
}

export interface Plan {
  loading: keyof Load;
  /** Tokens. */
  window: number;
  /** Requests in a session, and sessions in a month. */
  turns: number;
  sessions: number;
  /**
   * US dollars for a million tokens: `write` is paid in a session's first request, `read` in each
   * after it. Where nothing is cached both are the price of input.
   */
  write: number;
  read: number;
  /** Of a local model; null where none is asked about. */
  layout: CacheLayout | null;
}

export interface Budget {
  /** In every request. */
  tokens: number;
  /** Per cent of the window. */
  share: number;
  /** Tokens in all requests of a month. */
  monthTokens: number;
  /** US dollars a month. */
  month: number;
  /** Bytes of key-value cache; null without a layout. */
  reserved: number | null;
}

/** The servers' counts are added up: as one list they may be a token or two apart where they meet. */
export function budget(servers: readonly Load[], plan: Plan): Budget {
  const { loading, window, turns, sessions, write, read, layout } = plan;
  const tokens = servers.reduce((sum, server) => sum + server[loading], 0);
  return {
    tokens,
    share: windowShare(tokens, window),
    monthTokens: tokens * turns * sessions,
    month: (tokens * sessions * (turns === 0 ? 0 : write + (turns - 1) * read)) / 1e6,
    reserved: layout && reservedBytes(tokens, layout),
  };
}
