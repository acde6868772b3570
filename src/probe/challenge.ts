/**
 * Reads what a server that answers 401 asks for: its challenge and, where it has one, its public
 * metadata (RFC 9728). It must never send a credential, nor leave the server's own origin.
 */
import { z } from 'zod';

/** What is known of the way in; all of it is the server's own word. */
export type Challenge = {
  /** `Bearer`, `Basic`, …; null when the server does not say. */
  scheme: string | null;
  /** Why the credentials that were sent are refused, as OAuth names it: `invalid_token`. */
  error: string | null;
  scopes: string[];
  /** Where tokens are given out. */
  authorizationServers: string[];
  /** The metadata that was read; null when there was none to be had. */
  metadata: string | null;
};

const METADATA_BYTES = 65_536;
const METADATA_MS = 3000;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** Enough to tell, too little to flood a terminal. */
const SHOWN = 200;

const Metadata = z.looseObject({
  authorization_servers: z.array(z.string()).catch([]),
  scopes_supported: z.array(z.string()).catch([]),
});

/** `header` is WWW-Authenticate, `url` the endpoint. Never throws: what cannot be had is left out. */
export async function readChallenge(
  header: string | null,
  url: URL,
  signal: AbortSignal,
): Promise<Challenge> {
  const { scheme, params } = parse(header ?? '');
  const said = params.get('resource_metadata');
  // The MCP authorization spec has clients try the well-known places when the challenge names none.
  const places =
    said === undefined
      ? [`${WELL_KNOWN}${url.pathname === '/' ? '' : url.pathname}`, WELL_KNOWN]
      : [said];
  const found = await firstMetadata(places, url, signal);
  const scope = params.get('scope')?.split(' ').filter(Boolean);
  return {
    scheme,
    error: params.get('error') ?? null,
    scopes: (scope ?? found?.data.scopes_supported ?? []).map(short),
    authorizationServers: (found?.data.authorization_servers ?? []).map(short),
    metadata: found?.at ?? null,
  };
}

/** The first challenge of a header: `Bearer realm="x", scope="a b"`. */
function parse(header: string): { scheme: string | null; params: Map<string, string> } {
  const params = new Map<string, string>();
  for (const [, name, quoted, bare] of header.matchAll(
    /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g,
  )) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
    if (name !== undefined && !params.has(name)) params.set(name.toLowerCase(), short(value));
  }
  return { scheme: /^\s*([\w-]+)(?=\s|,|$)/.exec(header)?.[1] ?? null, params };
}

async function firstMetadata(
  places: string[],
  url: URL,
  signal: AbortSignal,
): Promise<{ at: string; data: z.infer<typeof Metadata> } | null> {
  for (const place of places) {
    const at = URL.parse(place, url);
    if (at === null || at.origin !== url.origin) continue;
    try {
      const response = await fetch(at, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(METADATA_MS)]),
      });
      const text = await start(response);
      if (response.ok) return { at: at.href, data: Metadata.parse(JSON.parse(text)) };
    } catch {
      // Not there, not JSON, too slow: the challenge alone must do.
    }
  }
  return null;
}

/** The beginning of a body, as text: no more than 64 KiB of it. */
export async function start(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of response.body ?? []) {
    parts.push(chunk);
    held += chunk.length;
    if (held >= METADATA_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, METADATA_BYTES).toString('utf8');
}

function short(text: string): string {
  return text.slice(0, SHOWN);
}
