/**
 * Asks a server on loopback as fast as a number of connections can, in a process of its own and over
 * plain sockets, so that little of what it takes is taken from the server: `load.ts JSON`. Prints what
 * came of it as JSON.
 */
import { connect } from 'node:net';

export interface Load {
  port: number;
  /** Requests that are on their way at once. */
  connections: number;
  /** Whichever comes first ends it: so many requests, or so many seconds. */
  requests: number;
  seconds: number;
  path: string;
  /** A post: its body, with `#` for a number that no other one has. Without it the path is read. */
  body?: string;
  /** What numbers begin with, so that two loads do not send the same. */
  series?: string;
}

export interface Loaded {
  requests: number;
  seconds: number;
  /** Milliseconds from the first byte sent to the last one received. */
  p50: number;
  p99: number;
  /** Bytes of the last answer's body. */
  bytes: number;
  /** How often each status came. */
  statuses: Record<string, number>;
}

const END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** How long the answer at the head of `bytes` is, and of what status; null while it is not whole. */
function answerIn(bytes: Buffer): { length: number; status: number; body: number } | null {
  const at = bytes.indexOf(END);
  if (at === -1) return null;
  const head = bytes.toString('latin1', 0, at);
  const status = Number(head.slice(9, 12));
  const size = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const begin = at + END.length;
  if (size !== undefined) {
    const length = begin + Number(size);
    return bytes.length < length ? null : { length, status, body: Number(size) };
  }
  const last = bytes.indexOf(LAST_CHUNK, begin);
  return last === -1 ? null : { length: last + LAST_CHUNK.length, status, body: last - begin };
}

async function load(asked: Load): Promise<Loaded> {
  const { port, connections, requests, seconds, path, body, series = '' } = asked;
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let [sent, bytes] = [0, 0];
  const began = performance.now();
  const until = began + seconds * 1_000;
  const host = `host: 127.0.0.1:${port}\r\n`;
  const next = (): string | null => {
    if (sent === requests || performance.now() > until) return null;
    const number = `${series}${sent++}`;
    if (body === undefined) return `GET ${path} HTTP/1.1\r\n${host}\r\n`;
    const text = body.replace('#', number);
    return `POST ${path} HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let held: Buffer = Buffer.alloc(0);
      let at = 0;
      const ask = () => {
        const request = next();
        if (request === null) {
          socket.destroy();
          resolve();
          return;
        }
        at = performance.now();
        socket.write(request);
      };
      socket.on('connect', ask);
      socket.on('data', (chunk: Buffer) => {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const answer = answerIn(held);
        if (answer === null) return;
        times.push(performance.now() - at);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        bytes = answer.body;
        held = held.subarray(answer.length);
        ask();
      });
      socket.on('error', reject);
      // Where it was closed before it was answered; after `resolve` this says nothing.
      socket.on('close', () => reject(new Error('the server closed a connection')));
    });
  await Promise.all(Array.from({ length: connections }, one));
  const took = (performance.now() - began) / 1_000;
  times.sort((a, b) => a - b);
  const rank = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  return {
    ...{ requests: times.length, seconds: took, bytes, statuses },
    ...{ p50: rank(0.5) ?? 0, p99: rank(0.99) ?? 0 },
  };
}

if (import.meta.main) {
  const loaded = await load(JSON.parse(process.argv[2] ?? '{}') as Load);
  process.stdout.write(`${JSON.stringify(loaded)}\n`);
}
