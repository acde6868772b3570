/**
 * Where posts wait until the owner takes them in. A queue says "kept" only of what a crash can't take
 * away, keeps each post once however often it is sent, and never writes an entry of the ledger.
 */
import type { Kind, Post } from './post.ts';

export const STATUSES = ['queued', 'accepted', 'declined', 'resolved', 'erased'] as const;
/** What has become of a post: waiting, or as the owner's last word on it says. */
export type Status = (typeof STATUSES)[number];

export interface Arrival extends Post {
  /** 32 lower-case hex digits, random. */
  id: string;
  /** Hex of 32 random bytes. */
  salt: string;
  /** commitment(salt, body). */
  commit: string;
  body_sha256: string;
  /** RFC 3339 in UTC with milliseconds. */
  received_at: string;
  /** Did it come with the owner's key? */
  keyed: boolean;
}
/** What is told to a queue when the owner has decided. */
export interface Outcome {
  status: Exclude<Status, 'queued'>;
  /** The entry that says so; null where none does. */
  seq: number | null;
  /** Why, in the owner's words. */
  reason: string | null;
}
export interface Kept extends Omit<Arrival, 'body' | 'salt' | 'body_sha256'> {
  /** Grows with each post; what `list` goes on from. */
  at: number;
  /** Null once erased, as are the next two. */
  body: string | null;
  salt: string | null;
  body_sha256: string | null;
  status: Status;
  seq: number | null;
  reason: string | null;
}
export interface Which {
  article?: string;
  kind?: Kind;
  status?: Status;
  /** Only what came later. */
  after?: number;
  /** At most so many, the oldest first. */
  limit: number;
}

export interface Queue {
  /**
   * Keeps a post, and resolves once it will be there after a crash. One that came before (the same
   * body, or the same `key`) is not kept again: `first` is false, and `kept` is the first one, be its
   * body another. Rejects when it can't be kept.
   */
  put(arrival: Arrival, key: string | null): Promise<{ kept: Kept; first: boolean }>;
  get(id: string): Promise<Kept | null>;
  list(which: Which): Promise<Kept[]>;
  /** Notes the owner's decision; of `erased`, body and salt go. Null where there is no such post. May be repeated. */
  acknowledge(id: string, outcome: Outcome): Promise<Kept | null>;
}
