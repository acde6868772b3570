/**
 * Asks an API of logs for JSON, within its limits, and waits where it says so. It must never let a
 * credential, an account or a gateway's name into a message.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '../body.ts';
import { type SecretHeaders, Secrets } from '../probe/header.ts';
import { Problem } from '../problem.ts';

export interface Access {
  /** How messages call what is asked: `Cloudflare`. */
  name: string;
  headers: SecretHeaders;
  /** Parts of the address that tell whose it is; hidden from messages as the headers are. */
  identifiers: Readonly<Record<string, string>>;
  /** What the API says went wrong, in its own form of an error; null for another form. */
  errors: (value: unknown) => string | null;
  /** What to do about 401 and 403. */
  permission: string;
  /** Requests that may begin within five minutes. */
  rate: number;
  signal?: AbortSignal;
  /** Told why it waits. */
  log?: (line: string) => void;
  /** Only tests wait otherwise. */
  sleep?: (ms: number) => Promise<unknown>;
}

const TRIES = 5;
const WINDOW_MS = 300_000;
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Where it does not say for how long: what Cloudflare blocks for. */
const BLOCKED_S = 300;
const MAX_WAIT_S = 900;
/** In a message, of what an API said. */
const SAID_CHARACTERS = 300;

export class Asker {
  readonly #access: Access;
  readonly #secrets: Secrets;
  readonly #sleep: (ms: number) => Promise<unknown>;
  #began = 0;
  #asked = 0;

  constructor(access: Access) {
    this.#access = access;
    this.#secrets = new Secrets({ ...access.headers, ...access.identifiers });
    this.#sleep = access.sleep ?? ((ms) => pause(ms, undefined, { signal: access.signal }));
  }

  /**
   * The JSON of `url`; null for 404. Waits as `retry-after` says and asks again after 429, 5xx and a
   * broken connection, five times at most. Throws Problem `gateway.*`, or `run.aborted`.
   */
  async json(url: URL): Promise<unknown> {
    const { name, permission } = this.#access;
    for (let turn = 1; ; turn++) {
      await this.#pace();
      const answer = await this.#once(url);
      if ('value' in answer) return answer.value;
      const { status, said } = answer;
      if (status === 404) return null;
      const told = `${name} answered ${status === 0 ? 'nothing' : status}${said === '' ? '' : `: ${said}`}`;
      if (status === 401 || status === 403) {
        throw new Problem('gateway.refused', told, { mend: permission });
      }
      const again = status === 429 || status >= 500 || status === 0;
      if (!again || turn === TRIES) {
        throw new Problem(status === 429 ? 'gateway.limited' : 'gateway.failed', told, {
          mend: again
            ? 'Nothing was recorded. Run it again later, with --since for a smaller part.'
            : 'Nothing was recorded. See to --since, --until and what the message names.',
        });
      }
      const seconds = answer.wait ?? (status === 429 ? BLOCKED_S : 2 ** (turn - 1));
      if (seconds > MAX_WAIT_S) {
        throw new Problem('gateway.limited', `${told}; it asks to wait ${seconds} s`, {
          mend: 'Nothing was recorded. Run it again then.',
        });
      }
      this.#access.log?.(`${told}; again in ${seconds} s`);
      await this.wait(seconds * 1000);
    }
  }

  /** Waits so; throws Problem `run.aborted`. */
  async wait(ms: number): Promise<void> {
    try {
      await this.#sleep(ms);
    } catch (error) {
      throw this.#aborted(error);
    }
  }

  async #pace(): Promise<void> {
    const now = Date.now();
    if (now - this.#began >= WINDOW_MS) [this.#began, this.#asked] = [now, 0];
    else if (this.#asked >= this.#access.rate) {
      const left = WINDOW_MS - (now - this.#began);
      this.#access.log?.(
        `${this.#access.rate} requests in five minutes; on in ${Math.ceil(left / 1000)} s`,
      );
      await this.wait(left);
      [this.#began, this.#asked] = [Date.now(), 0];
    }
    this.#asked++;
  }

  async #once(
    url: URL,
  ): Promise<{ value: unknown } | { status: number; said: string; wait: number | null }> {
    const { headers, errors, name, signal } = this.#access;
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    let response: Response;
    let text: string | null;
    try {
      response = await fetch(url, {
        redirect: 'manual',
        headers: { accept: 'application/json', ...headers },
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      text = (await bodyOf(response, MAX_BYTES))?.toString('utf8') ?? null;
    } catch (error) {
      if (signal?.aborted) throw this.#aborted(error);
      const { message, cause } = error as Error;
      const why = limit.aborted
        ? `within ${TIMEOUT_MS / 1000} s`
        : cause instanceof Error && cause.message !== ''
          ? cause.message
          : message;
      return { status: 0, said: this.#hidden(why), wait: null };
    }
    if (text === null) {
      throw new Problem('gateway.too-large', `${name} answered with more than ${MAX_BYTES} bytes`, {
        mend: 'Ask for a smaller part, with --since and --until.',
      });
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (response.status >= 400) {
        return { status: response.status, said: 'and that is no JSON', wait: waitOf(response) };
      }
      const type = (response.headers.get('content-type') ?? 'no type').split(';')[0] ?? '';
      throw new Problem(
        'gateway.not-json',
        `${name} answered ${response.status} with ${this.#hidden(type)} that is no JSON`,
        {
          mend: 'A login page or a proxy may stand before it: see what the address answers in a browser.',
        },
      );
    }
    if (response.ok) return { value };
    return {
      status: response.status,
      said: this.#hidden(errors(value) ?? ''),
      wait: waitOf(response),
    };
  }

  #hidden(text: string): string {
    return this.#secrets.hide(text).slice(0, SAID_CHARACTERS);
  }

  #aborted(error: unknown): unknown {
    return this.#access.signal?.aborted
      ? new Problem('run.aborted', 'interrupted: nothing was recorded', { cause: error })
      : error;
  }
}

/** What `retry-after` says, in seconds: a number, or a date. */
function waitOf(response: Response): number | null {
  const said = response.headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(said)) return Number(said);
  const date = Date.parse(said);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
