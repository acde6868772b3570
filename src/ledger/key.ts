/**
 * Hands a log over from one signing key to the next. Pure. A hand-over counts only with both
 * signatures: the old key's, or anybody could take the log over; the new one's, or it could be
 * handed to a key that nobody holds.
 */
import { Broken } from './broken.ts';
import type { KeyBody } from './entry.ts';
import { formatNote, openNote, parseVkey, type Skey, sign, type Vkey } from './note.ts';

/** A hand-over and its place in the log. */
export interface Rotation {
  seq: number;
  entry: { body: KeyBody };
}
/** Which keys may sign a checkpoint over the first so many entries. */
export type KeysAt = (entries: number) => readonly Vkey[];

/** What both keys sign. Its first line keeps it from being read as a checkpoint, whose second is a number. */
const statement = (from: Vkey, to: Vkey): string =>
  `${from.name}\nkey.put/v1\n${from.text}\n${to.text}\n`;

/** The entry that makes `to` the log's key. Throws Broken `key.form` when the two are not one log's, or one key. */
export function rotate(from: Skey, to: Skey): KeyBody {
  const text = statement(from.vkey, to.vkey);
  const note = formatNote({ text, signatures: [sign(text, from), sign(text, to)] });
  const body = { vkey: to.vkey.text, replaces: from.vkey.text, note };
  openRotation(body);
  return body;
}

/** The old and the new key of a hand-over that holds. Throws Broken as parseVkey and openNote do. */
export function openRotation({ vkey, replaces, note }: KeyBody): { from: Vkey; to: Vkey } {
  const [from, to] = [parseVkey(replaces), parseVkey(vkey)];
  if (from.name !== to.name) {
    throw new Broken('key.form', `${to.name} can't take over the log ${from.name}`);
  }
  if (from.text === to.text) throw new Broken('key.form', 'the new key is the old one');
  const { text, signers } = openNote(note, [from, to]);
  if (text !== statement(from, to)) {
    throw new Broken('note.form', 'the note hands over other keys than the entry');
  }
  if (signers.length < 2) {
    const missing = signers[0] === from ? to : from;
    throw new Broken('note.unsigned', `the hand-over lacks ${missing.name}+${missing.id}`);
  }
  return { from, to };
}

/**
 * The one key in force over the first so many entries: `current` (of ledger/vkey; null where there is
 * none) while the log never changed it, else what its hand-overs say. They are taken as the fold
 * checked them. A key that was handed over signs nothing more, or a stolen one would sign for ever.
 */
export function keysAt(current: Vkey | null, rotations: readonly Rotation[]): KeysAt {
  const [first] = rotations;
  if (first === undefined || current === null) return () => (current === null ? [] : [current]);
  const from = parseVkey(first.entry.body.replaces);
  const since = rotations.map(({ seq, entry }) => ({ seq, vkey: parseVkey(entry.body.vkey) }));
  return (entries) => [since.findLast(({ seq }) => seq < entries)?.vkey ?? from];
}

/** The hand-overs among the lines of a log that was verified. */
export const rotationsIn = (lines: readonly Uint8Array[]): Rotation[] =>
  lines.flatMap((line, seq) => {
    const text = new TextDecoder().decode(line);
    if (!text.includes('"type":"key.put"')) return [];
    return { seq, entry: { body: JSON.parse(text).body as KeyBody } };
  });
