/**
 * Puts the intake before a Node server: requests in, responses out, and what the environment sets.
 * It reads no more of a body than a post may have, and knows an address only for the limit's sake.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Broken } from '../ledger/broken.ts';
import { parseSkey, type Skey } from '../ledger/note.ts';
import { Problem } from '../problem.ts';
import type { SiteAddress } from '../site.ts';
import { folderQueue } from './folder.ts';
import { intake, methodOf } from './handler.ts';
import { Limit, limitsOf } from './limit.ts';

/** The folder where posts wait: INTAKE_DIR, else one below the project's root that is not in git. */
export const queueDir = (root: string): string =>
  process.env['INTAKE_DIR'] || join(root, '.intake');

export interface Mounted {
  /** Answers, or says that the path is another's. `path` begins at the site's root and holds the query. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean>;
  /** When all that was acknowledged is on disk. */
  close(): Promise<void>;
}

export interface Place {
  /** The folder of the queue. */
  dir: string;
  site: SiteAddress;
  port: number;
  document(path: string): Promise<unknown>;
}

/**
 * Opens the intake as the environment has it: TERMINAL_KEY, INTAKE_KEY_FILE, INTAKE_PER_MINUTE and
 * INTAKE_ADDRESS_HEADER. Throws Problem `intake.setting`, `intake.key` or `queue.open`.
 */
export function mountIntake(
  { dir, site, port, document }: Place,
  env: Record<string, string | undefined> = process.env,
): Mounted {
  const limit = new Limit(limitsOf(env['INTAKE_PER_MINUTE']), Date.now, randomBytes);
  const terminalKey = env['TERMINAL_KEY'] || null;
  if (terminalKey !== null && !/^[!-~](?:[ -~]*[!-~])?$/.test(terminalKey)) {
    throw new Problem('intake.setting', 'TERMINAL_KEY holds what no header can carry', {
      mend: 'Make it of plain ASCII, without spaces around it: `openssl rand -hex 32`.',
    });
  }
  const keyFile = env['INTAKE_KEY_FILE'];
  const skey = keyFile ? readSkey(keyFile) : null;
  const own = new Set([
    site.origin,
    ...['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`),
  ]);
  const header = env['INTAKE_ADDRESS_HEADER']?.toLowerCase();
  const queue = folderQueue(dir);
  const handle = intake({
    queue,
    site,
    document,
    terminalKey,
    skey,
    limit,
    isOurs: (origin) => own.has(origin),
    now: () => new Date(),
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    complain: (error) => process.stderr.write(`intake: ${String(error)}\n`),
  });
  return {
    async answer(request, response, path) {
      if (!path.startsWith('/api/')) return false;
      const said = header === undefined ? undefined : request.headers[header];
      // The last one is what our own proxy put there; those before it anybody can write.
      const address =
        String(said ?? '')
          .split(',')
          .at(-1)
          ?.trim() || request.socket.remoteAddress;
      const answer = await handle(requestOf(request, path), address ?? '');
      if (answer === null) return false;
      response.statusCode = answer.status;
      for (const [name, value] of answer.headers) response.setHeader(name, value);
      // What is left of a body that nobody read would be taken for the next request.
      if (!request.complete && answer.status >= 400) response.setHeader('connection', 'close');
      const body = request.method === 'HEAD' ? null : Buffer.from(await answer.arrayBuffer());
      response.end(body);
      return true;
    },
    close: () => queue.close(),
  };
}

function requestOf(request: IncomingMessage, path: string): Request {
  const method = methodOf(request.method ?? 'GET');
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const init: RequestInit & { duplex?: 'half' } = { method, headers };
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') {
    init.duplex = 'half';
    init.body = bodyOf(request);
  }
  return new Request(`http://intake${path}`, init);
}

/** What is not asked for is not read: the body of one that is refused by its headers is held nowhere. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  let stop: (() => void) | null = null;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      if (stop !== null) return;
      const data = (chunk: Uint8Array) => controller.enqueue(new Uint8Array(chunk));
      const end = () => controller.close();
      request.on('data', data).on('end', end);
      request.on('error', (error) => controller.error(error));
      stop = () => request.off('data', data).off('end', end);
    },
    cancel() {
      // Let go of, not kept: a client that was refused may go on sending for a while, and then end.
      stop?.();
      request.resume();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

function readSkey(at: string): Skey {
  try {
    return parseSkey(readFileSync(at, 'utf8'));
  } catch (cause) {
    if (!(cause instanceof Broken) && !(cause instanceof Error && 'code' in cause)) throw cause;
    throw new Problem('intake.key', cause.message, {
      at,
      mend: 'Name a secret key in INTAKE_KEY_FILE; `npm run new -- key FILE` makes one.',
      cause,
    });
  }
}
