/** Posts as fast as a number of connections can, and says what each was answered with. */
import { Agent, request } from 'node:http';

export interface Post {
  actor: string;
  /** The receipt's id; null where no answer came. */
  id: string | null;
  status: number | null;
  ms: number;
}

/** `next` gives the actor of the next post, null when there are no more. */
export async function hammer(
  port: number,
  path: string,
  connections: number,
  next: () => string | null,
): Promise<Post[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const done: Post[] = [];
  const one = (actor: string) =>
    new Promise<Post>((resolve) => {
      const began = performance.now();
      const body = JSON.stringify({
        actor,
        objection: 'The count leaves out names.',
        surface: 'S3',
      });
      const end = (id: string | null, status: number | null) =>
        resolve({ actor, id, status, ms: performance.now() - began });
      const sent = request(
        {
          ...{ host: '127.0.0.1', port, path, agent, method: 'POST' },
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () => {
            const whole = response.complete && response.statusCode === 201;
            end(
              whole ? (JSON.parse(text) as { id: string }).id : null,
              response.statusCode ?? null,
            );
          });
          response.on('error', () => end(null, null));
        },
      );
      sent.on('error', () => end(null, null));
      sent.end(body);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let actor = next(); actor !== null; actor = next()) done.push(await one(actor));
    }),
  );
  agent.destroy();
  return done;
}
