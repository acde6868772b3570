/**
 * What all published JSON has in common: its schema's address, its atoms, its bytes. Pure. Keys come
 * in the order in which a renderer writes them, so that equal records give equal bytes.
 */
import { z } from 'zod';
import { Decimal, Sha256, Timestamp } from '../ledger/entry.ts';
import type { Recorded } from '../ledger/fold.ts';
import type { SiteAddress } from '../site.ts';

/** Raised when a key changes its meaning or goes; a new key alone does not raise it. */
export const VERSION = 1;

export const Text = z.string();
export const Count = z.int().nonnegative();
export const Url = z.url();
export const Hash = Sha256;
/** Text in pieces, each words or the id of a figure. */
export const PartsShape = z.array(
  z.union([z.strictObject({ text: Text }), z.strictObject({ figure: Text })]),
);
export const Time = Timestamp;
export const Exact = Decimal.meta({
  description: 'A decimal as text, so that no parser rounds it',
});
/** A receipt: where something stands in the ledger. */
export const receipt = { seq: Count, leaf: Hash, ts: Time };
export const Receipt = z
  .strictObject(receipt)
  .nullable()
  .meta({ description: 'Where it stands in the ledger; null while it is not recorded' });

/** The head of a published document of that name. */
export const headShape = <N extends string>(name: N) => ({
  $schema: Url,
  shape: z.literal(`weighbridge.${name}`),
  version: z.literal(VERSION),
});
export const head = <N extends string>(name: N, site: SiteAddress) => ({
  $schema: site.url(schemaPath(name)),
  shape: `weighbridge.${name}` as const,
  version: VERSION as typeof VERSION,
});

/** Where the JSON Schema of that name is published. */
export const schemaPath = (name: string): string => `/schemas/${name}.json`;

/** The receipt of an entry, without the entry. */
export const receiptOf = ({ seq, leaf, ts }: Omit<Recorded, 'entry'>) => ({ seq, leaf, ts });

/** The bytes that are published. */
export const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
