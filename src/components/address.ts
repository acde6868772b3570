/** Where the ledger's own files are served, and how a hash and a time are shortened for a reader. */
import { fileName } from '../ledger/file.ts';
import { site } from '../site.ts';

/** The page of an entry. */
export function entryHref(seq: number): string {
  return site.path(`/ledger/${seq}/`);
}

/** The file that holds an entry. */
export function entryFileHref(seq: number): string {
  return site.path(`/ledger/entries/${fileName(seq)}`);
}

/** A payload by the SHA-256 of its bytes, in hex. */
export function payloadHref(sha256: string): string {
  return site.path(`/ledger/blobs/sha256/${sha256.slice(0, 2)}/${sha256}`);
}

/** `3fa9…c21e`: enough to compare by eye; the whole hash stands where it links to. */
export function shortHash(hex: string): string {
  return `${hex.slice(0, 4)}…${hex.slice(-4)}`;
}

/** The UTC day of an RFC 3339 time. */
export function day(ts: string): string {
  return ts.slice(0, 10);
}
