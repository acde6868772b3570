/**
 * The queue at the edge: one Durable Object with its SQLite, and in it the same handler as on one
 * machine. An answer leaves it only once what it says is on disk: that is the platform's output gate.
 */
import { parseSkey } from '../../ledger/note.ts';
import { address } from '../../site.ts';
import { type Intake, intake } from '../handler.ts';
import { Limit, limitsOf } from '../limit.ts';
import type { Queue } from '../queue.ts';
import { Tables } from '../sql.ts';
import type { DurableObjectState, Env } from './platform.ts';

/** Carries the sender's address from the Worker to the object; no client's own header of that name comes through. */
export const ADDRESS = 'x-intake-address';
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

/** Tables over the object's storage. Synchronous throughout, so that no other request comes between. */
function sqlQueue({ storage }: DurableObjectState): Queue {
  const tables = new Tables((sql, ...values) => storage.sql.exec(sql, ...values).toArray());
  return {
    put: async (arrival, key) => storage.transactionSync(() => tables.put(arrival, key)),
    get: async (id) => tables.get(id),
    list: async (which) => tables.list(which),
    acknowledge: async (id, outcome) =>
      storage.transactionSync(() => tables.acknowledge(id, outcome)),
  };
}

export class IntakeQueue {
  readonly #answer: Intake;

  constructor(state: DurableObjectState, env: Env) {
    const site = address({
      ...(env.SITE_URL ? { SITE_URL: env.SITE_URL } : {}),
      ...(env.BASE_PATH ? { BASE_PATH: env.BASE_PATH } : {}),
    });
    this.#answer = intake({
      queue: sqlQueue(state),
      site,
      document: async (path) => {
        const response = await env.ASSETS.fetch(new URL(site.path(path), 'https://assets.local'));
        return response.ok ? response.json() : null;
      },
      terminalKey: env.TERMINAL_KEY || null,
      skey: env.INTAKE_KEY ? parseSkey(env.INTAKE_KEY) : null,
      limit: new Limit(limitsOf(env.INTAKE_PER_MINUTE), Date.now, random),
      isOurs: (origin) => origin === site.origin || origin === env.ALSO_ORIGIN,
      now: () => new Date(),
      random,
      complain: (error) => console.error(`intake: ${String(error)}`),
    });
  }

  /** Answers what the Worker found to be the intake's; 404 where it is not. */
  async fetch(request: Request): Promise<Response> {
    const who = request.headers.get(ADDRESS) ?? '';
    return (await this.#answer(request, who)) ?? new Response(null, { status: 404 });
  }
}
