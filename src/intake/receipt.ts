/**
 * What a poster is given, and how they check it. Pure. A receipt says only what its hashes and its
 * signature bear out, and where it has none it says so.
 */
import { Broken } from '../ledger/broken.ts';
import { commitment, fromHex, SALT_BYTES } from '../ledger/commitment.ts';
import { openNote, type Vkey } from '../ledger/note.ts';
import { bodyHash, type Schema } from './post.ts';
import { type Kept, STATUSES, type Status } from './queue.ts';

export interface Receipt {
  id: string;
  commit: string;
  salt: string;
  body_sha256: string;
  received_at: string;
  status: Status;
  /** A signed note's signature line over `receiptText`, without its newline; null when no key is set. */
  signature: string | null;
  /** What it proves and what not. */
  says: string;
}

const HEX = { type: 'string', pattern: '^[0-9a-f]{64}$' };
/** A receipt as JSON Schema tells it. */
export const RECEIPT: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    ...{ commit: HEX, salt: HEX, body_sha256: HEX },
    received_at: { type: 'string', format: 'date-time' },
    status: { enum: [...STATUSES] },
    signature: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    says: { type: 'string' },
  },
  required: ['id', 'commit', 'salt', 'body_sha256', 'received_at', 'status', 'signature', 'says'],
  additionalProperties: false,
};

const SIGNED =
  'Signed: with your text it proves that this was taken. It does not say that it will be accepted.';
const UNSIGNED =
  'Not signed: with your text it proves to you that this is what was taken. It does not prove to others who gave it, nor when.';

/** What is signed: one line each. */
export const receiptText = ({
  id,
  commit,
  body_sha256,
  received_at,
}: Pick<Receipt, 'id' | 'commit' | 'body_sha256' | 'received_at'>): string =>
  `weighbridge/receipt/v1\n${id}\n${commit}\n${body_sha256}\n${received_at}\n`;

/** Gives a signature line over a text, without its newline. */
export type Signer = (text: string) => Promise<string>;

/** The receipt of a post whose words are still kept; null for one that was erased. */
export async function receiptOf(kept: Kept, signer: Signer | null): Promise<Receipt | null> {
  const { id, commit, salt, body_sha256, received_at, status } = kept;
  if (salt === null || body_sha256 === null) return null;
  const bare = { id, commit, salt, body_sha256, received_at, status };
  if (signer === null) return { ...bare, signature: null, says: UNSIGNED };
  return { ...bare, signature: await signer(receiptText(bare)), says: SIGNED };
}

/** Why a receipt does not fit the canonical body or the key; null when all of it does. */
export function receiptFault(
  receipt: Omit<Receipt, 'status' | 'says'>,
  body: string,
  vkey: Vkey | null,
): string | null {
  const salt = fromHex(receipt.salt);
  if (bodyHash(body) !== receipt.body_sha256) return 'it is of another text';
  if (salt?.length !== SALT_BYTES) return `its salt is not ${SALT_BYTES} bytes`;
  if (commitment(salt, new TextEncoder().encode(body)) !== receipt.commit) {
    return 'its commitment is of another text or salt';
  }
  if (receipt.signature === null) return null;
  if (vkey === null) return 'it is signed, and there is no key to check that with';
  try {
    openNote(`${receiptText(receipt)}\n${receipt.signature}\n`, [vkey]);
    return null;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  }
}
