/** The answers that the intake gives: JSON, a problem (RFC 9457), a page of plain HTML. Pure. */

/** For what anybody may read from anywhere. */
const OPEN = { 'access-control-allow-origin': '*' };
const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** A refusal: `code` for programs, `detail` for people; `field` when one field is at fault. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: { field?: string; headers?: Record<string, string> };

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { field?: string; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'This is no request that can be read',
  401: 'A key is needed',
  403: 'Refused',
  404: 'There is no such thing',
  405: 'Not by this method',
  408: 'It took too long',
  413: 'Too large',
  415: 'Not in this form',
  422: 'A field is not as it must be',
  429: 'Too many posts',
  503: 'Not to be had now',
};

export const json = (
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response =>
  new Response(`${JSON.stringify(value, null, 2)}\n`, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...COMMON, ...OPEN, ...headers },
  });

/** What only who holds the key may read. */
export function secret(value: unknown): Response {
  const response = json(value);
  response.headers.delete('access-control-allow-origin');
  return response;
}

export const problem = ({ status, code, message, more }: Refusal): Response =>
  new Response(
    `${JSON.stringify({
      type: 'about:blank',
      title: TITLES[status] ?? 'Refused',
      status,
      detail: message,
      code,
      ...(more.field === undefined ? {} : { field: more.field }),
    })}\n`,
    {
      status,
      headers: {
        'content-type': 'application/problem+json; charset=utf-8',
        ...COMMON,
        ...OPEN,
        ...more.headers,
      },
    },
  );

/** For a program that asks for what the site does not have. */
export const missing = (path: string): Response =>
  problem(
    new Refusal(
      404,
      'path.unknown',
      `there is nothing at ${path}; /api/index.json lists what there is`,
    ),
  );

/** For whoever sends something to what can only be read. */
export const readOnly = (path: string): Response =>
  problem(
    new Refusal(405, 'method', `${path} takes GET, HEAD`, { headers: { allow: 'GET, HEAD' } }),
  );

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ESCAPES[c]!);

/** A page for a browser that posted a form without script; it loads nothing. `main` is HTML. */
export const page = (title: string, main: string, status: number): Response =>
  new Response(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1>
${main}
</main></body></html>
`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ...COMMON,
      },
    },
  );
