/** Reads what a server sent in answer, and no more of it than is wanted. */

/** The bytes of a response's body, or null as soon as there are more than `most`. */
export async function bodyOf(response: Response, most: number): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    // Leaving the loop cancels the rest.
    if (size > most) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
