/**
 * What every API that the capture server speaks has to offer: how a request is read and how it is
 * answered. Types only. A reading holds a client's texts and must never be stored; digest.ts turns
 * it into what may be.
 */
import type { Fields } from './json.ts';

export const APIS = ['anthropic', 'openai', 'gemini'] as const;
export type ApiName = (typeof APIS)[number];

/** One tool that the model can call, taken out of whatever it was nested in. */
export interface SentTool {
  name: string;
  /** The name of the object it was nested in: `mcp__memory` for Codex; null at the top. */
  namespace: string | null;
  /** The API's own word where there is one: `function`, `custom`, `web_search_20250305`. */
  type: string | null;
  /** Sent with a mark that it is not to be loaded until it is searched for. */
  deferred: boolean;
  /** The JSON value as it was sent. */
  sent: unknown;
}

/** A text that the client, not its user, wrote for the model. */
export interface SystemPart {
  /** JSON Pointer into the request. */
  at: string;
  text: string;
}

/** A place that the client asked to be cached, and everything up to and including it. */
export interface CachePoint {
  at: string;
  ttl: string | null;
  /** Blocks in the order in which the API caches them, without their cache marks. */
  prefix: readonly unknown[];
}

export interface Reading {
  model: string | null;
  stream: boolean;
  /** The values that carry tools, whole: `tools`, and what Codex puts among the input. */
  carriers: readonly unknown[];
  tools: SentTool[];
  system: SystemPart[];
  messages: number;
  cache: CachePoint[];
  metadataKeys: string[];
}

export interface Answer {
  status: number;
  type: 'application/json' | 'text/event-stream';
  /** Written one by one; a stream's last part is the event that ends it. */
  parts: readonly string[];
}

export interface Route {
  api: ApiName;
  /** A word for the record: `messages`, `responses`. */
  endpoint: string;
  /** Whether this is what a model answers, not something beside it. */
  turn: boolean;
  /** Null for requests without a body that counts. */
  read: ((body: Fields, path: string) => Reading) | null;
  /** Pure; `reading` is null when `read` is. */
  answer(reading: Reading | null, query: URLSearchParams, body: Fields): Answer;
}

export interface Api {
  name: ApiName;
  /** `path` without query; null when the API has no such endpoint. */
  route(method: string, path: string, headers: Readonly<Record<string, unknown>>): Route | null;
  /** An error in the API's own shape. */
  error(status: number, message: string): Answer;
}

export function json(value: unknown, status = 200): Answer {
  return { status, type: 'application/json', parts: [JSON.stringify(value)] };
}

export function events(parts: readonly string[]): Answer {
  return { status: 200, type: 'text/event-stream', parts };
}
