/**
 * What a signed or served part of the ledger throws when it does not hold. Each way of not holding
 * has its own code, so that a reader is told what was tampered with and not merely that something was.
 */
export type BrokenCode =
  /** A key's text is not of its form, is of a type that is not Ed25519, or its id is not its hash. */
  | 'key.form'
  | 'key.type'
  | 'key.id'
  /** A note that is not of its form, that no trusted key signed, or whose signature does not verify. */
  | 'note.form'
  | 'note.unsigned'
  | 'note.signature'
  | 'checkpoint.form'
  /** Of another log. */
  | 'checkpoint.origin'
  /** Older than one that was seen before. */
  | 'checkpoint.stale'
  /** Of a history that does not contain the one that was seen before. */
  | 'checkpoint.fork'
  | 'tile.missing'
  | 'tile.form'
  | 'tile.altered'
  | 'bundle.missing'
  | 'bundle.form'
  | 'bundle.altered'
  | 'proof.form'
  /** There is no entry to prove: the proof carries none and none was given. */
  | 'proof.entry'
  /** The entry, the hashes and the checkpoint do not belong together. */
  | 'proof.altered';

/** Thrown by the parsers and verifiers of notes, checkpoints, tiles and proofs. */
export class Broken extends Error {
  readonly code: BrokenCode;

  constructor(code: BrokenCode, message: string) {
    super(message);
    this.name = 'Broken';
    this.code = code;
  }
}
