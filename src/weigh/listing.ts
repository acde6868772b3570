/**
 * Gets one server's list of tools, wherever it is: over stdio, over HTTP, from a file. It must never
 * change the list, nor tell a secret that it was given for the asking.
 */
import type { Tool } from '../measure/figure.ts';
import { parseCatalogue, parsePayload } from '../measure/payload.ts';
import { payloadOf } from '../probe/capture.ts';
import { checkCatalogue } from '../probe/catalogue.ts';
import { type Discovered, discoverHttp, discoverStdio } from '../probe/discover.ts';
import { type HttpOptions, probeHttp } from '../probe/http.ts';
import { type Probed, ProbeFailure, type ProbeOptions, probeStdio } from '../probe/stdio.ts';
import { Problem } from '../problem.ts';
import { readNamed } from './read.ts';

export interface Listing {
  /** What it calls itself; null where it does not say. */
  name: string | null;
  /** Null: read from a file. */
  protocol: { requested: string; negotiated: string } | null;
  tools: Tool[];
  listMs: number;
  warnings: { code: string; message: string }[];
}

/** Throws ProbeFailure, or Problem `server.unweighable`. */
export function listStdio(options: ProbeOptions): Promise<Listing> {
  return inEitherEra(
    () => probeStdio(options),
    () => discoverStdio(options),
  );
}

/** Throws ProbeFailure, or Problem `server.unweighable`. */
export function listHttp(options: HttpOptions): Promise<Listing> {
  return inEitherEra(
    () => probeHttp(options),
    () => discoverHttp(options),
  );
}

/** Throws Problem `file.unreadable` or `file.no-tools`. */
export async function listFile(path: string, named: string): Promise<Listing> {
  const bytes = await readNamed(path, named, 'file.unreadable');
  try {
    const tools = parseCatalogue(bytes);
    return { name: null, protocol: null, tools, listMs: 0, warnings: checkCatalogue(tools) };
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause;
    throw new Problem('file.no-tools', cause.message, {
      at: named,
      mend: 'Give an array of tools, a tools/list result, a JSON-RPC response, or a captured payload.',
      cause,
    });
  }
}

/**
 * Asks as almost every server is asked, and one that wants nothing of `initialize` again, in a
 * conversation of its own, as the revision without a handshake has it.
 */
async function inEitherEra(
  older: () => Promise<Probed>,
  newer: () => Promise<Discovered>,
): Promise<Listing> {
  try {
    return listingOf(await older());
  } catch (failure) {
    const refused =
      failure instanceof ProbeFailure && failure.method === 'initialize' && failure.rpc !== null;
    if (!refused) throw failure;
    const discovered = await newer();
    if (discovered.outcome === 'refused') throw failure;
    return listingOf(discovered);
  }
}

function listingOf(probed: Probed): Listing {
  let tools: Tool[];
  try {
    tools = parsePayload(payloadOf(probed.pages));
  } catch (cause) {
    throw unweighable(cause);
  }
  return {
    name: probed.serverName,
    protocol: { requested: probed.protocolRequested, negotiated: probed.protocolNegotiated },
    tools,
    listMs: probed.listMs,
    warnings: [...probed.warnings, ...checkCatalogue(probed.tools)],
  };
}

/** What `measure` throws at a list, as the server's failure, or that of the file it was read from; anything else as it is. */
export function unweighable(cause: unknown, file: string | null = null): unknown {
  if (!(cause instanceof RangeError || cause instanceof SyntaxError)) return cause;
  if (file !== null) {
    return new Problem('file.unweighable', `its list cannot be weighed: ${cause.message}`, {
      at: file,
      mend: 'Give one that a client could send to a model.',
      cause,
    });
  }
  return new Problem('server.unweighable', `its list cannot be weighed: ${cause.message}`, {
    mend: 'Report it to the server: no client could send such a list to a model.',
    cause,
  });
}
