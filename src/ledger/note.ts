/**
 * Text signed by one or more keys, as C2SP signed-note has it, with Ed25519 alone. Pure. It never
 * gives out the text of a note that no trusted key signed, and never puts a secret key in a message.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64, toBase64 } from './base64.ts';
import { Broken } from './broken.ts';
import { hex } from './tree.ts';

/** A public key with the name it signs under: `<name>+<id>+<base64 of type and key>`. */
export interface Vkey {
  name: string;
  /** First four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ key), lower-case hex. */
  id: string;
  /** 32 bytes, RFC 8032. */
  key: Uint8Array;
  /** The key as text, without a newline. */
  text: string;
}
/** The secret half: `PRIVATE+KEY+<name>+<id>+<base64 of type and seed>`. */
export interface Skey {
  vkey: Vkey;
  /** 32 bytes, RFC 8032. */
  seed: Uint8Array;
}
export interface Signature {
  name: string;
  /** Eight hex digits: the first four bytes of what the line carries. */
  id: string;
  bytes: Uint8Array;
}
export interface Note {
  /** What is signed, its last newline included. */
  text: string;
  signatures: readonly Signature[];
}

/** The type byte of plain Ed25519 (signed-note, "Signature types"). */
const ED25519 = 1;
/** Most signatures read from one note; the specification asks for 16 at least. */
const MAX_SIGNATURES = 100;
const SECRET = 'PRIVATE+KEY+';
const DASH = '\u2014';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const join = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Is there an ASCII control character that is not a newline? No note may hold one. */
const hasControl = (text: string): boolean => [...text].some((c) => c < ' ' && c !== '\n');

/** May a key be named so? (signed-note, "Format": not empty, no Unicode space, no plus) */
const isKeyName = (name: string): boolean =>
  name.isWellFormed() && /^[^\p{White_Space}+]+$/u.test(name) && !hasControl(name);

/** Text of a note's bytes. Throws Broken `note.form` when they are not UTF-8. */
export function noteText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Broken('note.form', 'the note is not UTF-8');
  }
}

function vkeyOf(name: string, key: Uint8Array): Vkey {
  const typed = join(Uint8Array.of(ED25519), key);
  const id = hex(sha256(join(utf8(`${name}\n`), typed)).subarray(0, 4));
  return { name, id, key, text: `${name}+${id}+${toBase64(typed)}` };
}

/** Reads `<name>+<id>+<base64>`; `what` names the key in messages, which never show its material. */
function readKey(text: string, what: string): { name: string; id: string; material: Uint8Array } {
  const [, name, id, base64] = /^([^+]*)\+([^+]*)\+(.*)$/.exec(text) ?? [];
  if (name === undefined || id === undefined || base64 === undefined) {
    throw new Broken('key.form', `${what} is not one line of <name>+<id>+<key>`);
  }
  if (!isKeyName(name)) {
    throw new Broken('key.form', `${what} has a name that is empty or holds white space`);
  }
  if (!/^[0-9a-f]{8}$/.test(id)) {
    throw new Broken(
      'key.form',
      `${what} ${name} has an id that is not eight lower-case hex digits`,
    );
  }
  const typed = fromBase64(base64);
  if (typed === null) throw new Broken('key.form', `${what} ${name}+${id} is not in base64`);
  if (typed[0] !== ED25519) {
    throw new Broken('key.type', `${what} ${name}+${id} is not of type 1, Ed25519`);
  }
  if (typed.length !== 33) {
    const got = typed.length - 1;
    throw new Broken('key.form', `${what} ${name}+${id} has ${got} bytes; Ed25519 has 32`);
  }
  return { name, id, material: typed.subarray(1) };
}

function withId(vkey: Vkey, id: string, what: string): Vkey {
  if (vkey.id === id) return vkey;
  const other = `says id ${id}, but its name and key hash to ${vkey.id}`;
  throw new Broken('key.id', `${what} ${vkey.name} ${other}`);
}

/** Reads a public key; one newline may follow it. Throws Broken `key.form`, `key.type` or `key.id`. */
export function parseVkey(text: string): Vkey {
  if (text.startsWith(SECRET)) {
    throw new Broken('key.form', 'the key is a secret one where a public one belongs');
  }
  const { name, id, material } = readKey(text.replace(/\n$/, ''), 'public key');
  return withId(vkeyOf(name, material), id, 'public key');
}

/** Reads a secret key; one newline may follow it. Throws as parseVkey, without the key in the message. */
export function parseSkey(text: string): Skey {
  if (!text.startsWith(SECRET)) {
    throw new Broken('key.form', `the secret key does not begin with ${SECRET}`);
  }
  const rest = text.slice(SECRET.length).replace(/\n$/, '');
  const { name, id, material: seed } = readKey(rest, 'secret key');
  return { vkey: withId(vkeyOf(name, ed25519.getPublicKey(seed)), id, 'secret key'), seed };
}

/** The secret key of a seed of 32 random bytes. Throws Broken `key.form` for a name that no key may have. */
export function makeSkey(name: string, seed: Uint8Array): Skey {
  if (!isKeyName(name)) throw new Broken('key.form', `no key may be named "${name}"`);
  return { vkey: vkeyOf(name, ed25519.getPublicKey(seed)), seed };
}

/** A secret key as the text that parseSkey reads. */
export const formatSkey = ({ vkey: { name, id }, seed }: Skey): string =>
  `${SECRET}${name}+${id}+${toBase64(join(Uint8Array.of(ED25519), seed))}`;

/** A note as text: what is signed, a blank line, a line for each signature. */
export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures
    .map(({ name, id, bytes }) => {
      const idBytes = Uint8Array.from(id.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      return `${DASH} ${name} ${toBase64(join(idBytes, bytes))}\n`;
    })
    .join('')}`;

/**
 * Takes a note apart without trusting it. Throws Broken `note.form` for what is not exactly of the
 * form (signed-note, "Format"), unknown signatures included.
 */
export function parseNote(note: string): Note {
  const bad = (why: string) => new Broken('note.form', why);
  if (!note.isWellFormed()) throw bad('the note holds half a character');
  if (hasControl(note)) throw bad('the note holds a control character');
  const blank = note.lastIndexOf('\n\n');
  if (blank === -1) throw bad('no blank line stands between text and signatures');
  if (!note.endsWith('\n')) throw bad('the last signature line does not end');
  const lines = note.slice(blank + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw bad(`more than ${MAX_SIGNATURES} signatures`);
  const signatures = lines.map((line, at) => {
    const [dash, name = '', base64 = '', ...more] = line.split(' ');
    const bytes = fromBase64(base64);
    if (
      dash !== DASH ||
      !isKeyName(name) ||
      more.length > 0 ||
      bytes === null ||
      bytes.length < 5
    ) {
      throw bad(`signature line ${at + 1} is not "${DASH} <name> <base64 of id and signature>"`);
    }
    return { name, id: hex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) };
  });
  return { text: note.slice(0, blank + 1), signatures };
}

/** Did the key make this signature of the message? RFC 8032 as written; never throws. */
export const verifyEd25519 = (bytes: Uint8Array, message: Uint8Array, key: Uint8Array): boolean =>
  // The library's default, zip215, also accepts what other verifiers refuse.
  bytes.length === 64 && ed25519.verify(bytes, message, key, { zip215: false });

/** Signs text that ends in a newline. */
export const sign = (text: string, { vkey, seed }: Skey): Signature => ({
  name: vkey.name,
  id: vkey.id,
  bytes: ed25519.sign(utf8(text), seed),
});

/**
 * The text of a note that a trusted key signed, and the keys that did. Signatures of unknown keys are
 * ignored; one of a trusted key that does not verify condemns the note (signed-note, "Signatures").
 * Throws Broken `note.form`, `note.signature` or `note.unsigned`.
 */
export function openNote(
  note: string,
  trusted: readonly Vkey[],
): { text: string; signers: readonly Vkey[] } {
  const { text, signatures } = parseNote(note);
  const signed = utf8(text);
  const signers = new Set<Vkey>();
  for (const { name, id, bytes } of signatures) {
    const vkey = trusted.find((key) => key.name === name && key.id === id);
    if (vkey === undefined) continue;
    if (!verifyEd25519(bytes, signed, vkey.key)) {
      throw new Broken('note.signature', `the signature of ${name}+${id} does not verify`);
    }
    signers.add(vkey);
  }
  if (signers.size > 0) return { text, signers: [...signers] };
  const names = (keys: readonly { name: string; id: string }[]) =>
    keys.map(({ name, id }) => `${name}+${id}`).join(', ') || 'nobody';
  throw new Broken(
    'note.unsigned',
    `signed by ${names(signatures)}, but trusted is ${names(trusted)}`,
  );
}
