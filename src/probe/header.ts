/**
 * Headers that are sent to a server and never shown: their values come from the environment, by
 * name. It must never let a value into a message, a record or a payload.
 */
import { Problem } from '../problem.ts';

/** Header names and values. Every value is a secret. */
export type SecretHeaders = Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What an HTTP header can carry, without a space at either end. */
const VALUE = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;
/** What the transport says itself; two values would make the request another one. */
const RESERVED =
  /^(?:accept|accept-encoding|connection|content-.*|expect|host|keep-alive|mcp-.*|te|trailer|transfer-encoding|upgrade)$/i;
/** Shorter values stand in any text by chance. */
const SCANNED_CHARACTERS = 8;

/**
 * The headers that `--header-env NAME=VARIABLE` asks for, one string each. Throws Problem
 * `header.*`, which names the variable and never its value.
 */
export function headersFromEnv(
  asked: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SecretHeaders {
  const headers: Record<string, string> = {};
  for (const spec of asked) {
    const [, name, variable] = /^([^=]+)=([A-Za-z_]\w*)$/.exec(spec) ?? [];
    if (name === undefined || variable === undefined) {
      // What stands after the = may be the secret itself, put there by mistake.
      throw new Problem('header.bad-spec', '--header-env wants NAME=VARIABLE', {
        at: spec.split('=')[0] ?? '',
        mend: "Name an environment variable, not its value: --header-env 'Authorization=API_AUTH'.",
      });
    }
    const value = env[variable];
    if (value === undefined || value === '') {
      throw new Problem('header.not-set', `the environment variable ${variable} is not set`, {
        at: name,
        mend: `Set ${variable} to the whole value of the header, such as "Bearer …".`,
      });
    }
    headers[name] = value;
  }
  checkHeaders(headers);
  return headers;
}

/** Refuses what HTTP cannot carry and what the transport says itself. Throws Problem `header.*`. */
export function checkHeaders(headers: SecretHeaders): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const wrong = (code: string, message: string, mend: string) =>
      new Problem(code, message, { at: `header ${name}`, mend });
    if (!TOKEN.test(name)) {
      throw wrong('header.bad-name', 'not a name that HTTP allows', 'Letters, digits and -.');
    }
    if (RESERVED.test(name)) {
      throw wrong('header.reserved', 'this header is part of the transport', 'Leave it out.');
    }
    if (seen.has(name.toLowerCase())) {
      throw wrong('header.twice', 'this header is given twice', 'Give it once.');
    }
    seen.add(name.toLowerCase());
    if (!VALUE.test(value)) {
      throw wrong(
        'header.bad-value',
        'its value holds what an HTTP header cannot carry',
        'Look for line breaks, spaces at its ends, and letters beyond Latin-1.',
      );
    }
  }
}

/** Looks for the values of secret headers, also written as JSON or in a URL. */
export class Secrets {
  /** [name, what would tell it], the longest first, so that hiding leaves no rest. */
  readonly #told: (readonly [name: string, text: string])[];

  constructor(headers: SecretHeaders) {
    this.#told = Object.entries(headers)
      .flatMap(([name, value]) =>
        // `Bearer TOKEN`: the token alone is as secret.
        [...new Set([value, ...value.split(/\s+/)])]
          .filter((part) => part.length >= SCANNED_CHARACTERS)
          .flatMap((part) => [part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part)])
          .map((text) => [name, text] as const),
      )
      .sort(([, a], [, b]) => b.length - a.length);
  }

  /** The name of the header whose value stands in these bytes, or null. */
  in(bytes: Uint8Array): string | null {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return this.#told.find(([, text]) => buffer.includes(text))?.[0] ?? null;
  }

  /** The text with every value taken out. */
  hide(text: string): string {
    return this.#told.reduce((left, [name, told]) => left.replaceAll(told, `[${name}]`), text);
  }
}
