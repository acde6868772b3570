/** What a client would rather have, as RFC 9110 has it. Pure. */

/** Names of an Accept or Accept-Encoding header with their weights, from 0 to 1. */
function weights(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      const weight = q === undefined ? 1 : Number(q.slice(2));
      return [name, weight >= 0 && weight <= 1 ? weight : 0];
    }),
  );
}

/** Would it rather read markdown than HTML? Only one that names markdown does. */
export function prefersMarkdown(accept: string): boolean {
  const asked = weights(accept);
  const markdown = asked.get('text/markdown') ?? 0;
  const html = asked.get('text/html') ?? asked.get('text/*') ?? asked.get('*/*') ?? 0;
  return markdown > 0 && (markdown > html || (markdown === html && !asked.has('text/html')));
}

/** Does a program ask? What it can't have is told as a problem then, not as a page of HTML. */
export function isForProgram(path: string, accept: string): boolean {
  if (/^\/(?:api|schemas|\.well-known)\/|\.(?:json|csv|md|txt|xml)$/.test(path)) return true;
  const asked = weights(accept);
  const wants = (type: string) => (asked.get(type) ?? 0) > 0;
  return (
    !wants('text/html') &&
    ['application/json', 'application/problem+json', 'text/markdown'].some(wants)
  );
}

export type Encoding = 'br' | 'gzip';
/** The smallest encoding that it takes; null for the bytes as they are. */
export function encodingFor(acceptEncoding: string): Encoding | null {
  const asked = weights(acceptEncoding);
  const takes = (name: Encoding) => (asked.get(name) ?? asked.get('*') ?? 0) > 0;
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}
