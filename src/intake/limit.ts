/**
 * How often one address may post. An address is known only by a hash under a key that nobody holds
 * longer than an hour; hash and key stay in memory and come into no record.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hex } from '../ledger/tree.ts';
import { Problem } from '../problem.ts';

/** Milliseconds after which there is a new key and every count begins anew. */
const ROTATION = 3_600_000;
const PER_MINUTE = 30;
/** Addresses that are counted at once; the one that came first is forgotten for the next. */
const MOST = 65_536;

export interface Limits {
  /** Posts a minute that one address may make over a longer time. */
  perMinute: number;
  /** Posts that it may make at once. */
  burst: number;
}

/** The limits that INTAKE_PER_MINUTE asks for. Throws Problem `intake.setting`. */
export function limitsOf(setting: string | undefined): Limits {
  const perMinute = Number(setting || PER_MINUTE);
  if (perMinute > 0) return { perMinute, burst: Math.max(1, perMinute) };
  throw new Problem('intake.setting', 'INTAKE_PER_MINUTE is no number above 0', {
    mend: 'Set how many posts a minute one address may make, or Infinity.',
  });
}

export class Limit {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #random: (bytes: number) => Uint8Array;
  readonly #counts = new Map<string, { left: number; at: number }>();
  #key: { bytes: Uint8Array; until: number } = { bytes: new Uint8Array(), until: -1 };

  /** `now` in milliseconds. */
  constructor(limits: Limits, now: () => number, random: (bytes: number) => Uint8Array) {
    this.#limits = limits;
    this.#now = now;
    this.#random = random;
  }

  /** Counts a post. 0 when it may pass, else the seconds after which the next may. */
  take(address: string): number {
    const now = this.#now();
    if (now >= this.#key.until) {
      this.#key = { bytes: this.#random(32), until: now + ROTATION };
      this.#counts.clear();
    }
    const { perMinute, burst } = this.#limits;
    if (perMinute === Number.POSITIVE_INFINITY) return 0;
    const who = hex(hmac(sha256, this.#key.bytes, new TextEncoder().encode(network(address))));
    const was = this.#counts.get(who) ?? { left: burst, at: now };
    const left = Math.min(burst, was.left + ((now - was.at) / 60_000) * perMinute);
    if (!this.#counts.has(who) && this.#counts.size >= MOST) {
      this.#counts.delete(this.#counts.keys().next().value!);
    }
    if (left < 1) {
      this.#counts.set(who, { left, at: now });
      return Math.ceil(((1 - left) / perMinute) * 60);
    }
    this.#counts.set(who, { left: left - 1, at: now });
    return 0;
  }
}

/** What one subscriber is given: of IPv6 the first 64 bits, since the rest is theirs to choose. */
export function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('%')[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const groups = plain.includes('::')
    ? [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
    : front;
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
