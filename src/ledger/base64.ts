/**
 * Standard base64 (RFC 4648, section 4) in the one spelling that each byte sequence has. It never
 * accepts another: two texts for one signature would be two files for one checkpoint.
 */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The bytes; null for text with white space, without its padding or with stray bits at its end. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
