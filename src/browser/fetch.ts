/** Reads one file of this site, past every cache but the server's own say. */

/** The bytes at an address; null for 404. Throws Error for any other answer, and what fetch throws. */
export async function fetchBytes(url: URL): Promise<Uint8Array | null> {
  const response = await fetch(url, { cache: 'no-cache', credentials: 'omit' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${url.pathname} was answered with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
