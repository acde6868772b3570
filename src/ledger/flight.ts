/**
 * The note that a writer leaves while payloads of its are stored and the entries that name them are
 * not: where the ledger ends before and after. Pure. It excuses no payload once those entries stand.
 */
import { z } from 'zod';
import { Sha256 } from './entry.ts';

const Count = z.int().nonnegative();
export const Flight = z
  .strictObject({
    /** Entries before the append, and the leaf of the last of them or the genesis hash. */
    size: Count,
    head: Sha256,
    /** Entries after it. */
    end: Count,
    /** SHA-256 of each payload that is stored for it. */
    blobs: z.array(Sha256),
    /** Id of each post whose words are stored for it; absent where there is none. */
    posts: z.array(z.string().regex(/^[0-9a-f]{32}$/)).exactOptional(),
  })
  .refine(({ size, end }) => size < end, 'an append adds entries');
export type Flight = z.infer<typeof Flight>;

/** Does a ledger of `size` entries, which had `head` when it was as long as the note says, lie between the two? */
export const isFlying = (flight: Flight, size: number, head: string | undefined): boolean =>
  head === flight.head && size >= flight.size && size < flight.end;
