/**
 * What a browser may do on a page of this site: run and load what the site itself serves, and no more.
 * The one exception is that Pagefind's search may compile the WebAssembly that stands beside it.
 */
const SOURCES: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': "'self'",
  'font-src': "'self'",
  'img-src': "'self'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self' blob:",
  'connect-src': "'self'",
  'manifest-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
};

/** As a page says it of itself. */
export const POLICY = Object.entries(SOURCES)
  .map((pair) => pair.join(' '))
  .join('; ');

/** As a header says it, which workers heed too, and which alone can forbid frames. */
export const HEADER_POLICY = `${POLICY}; frame-ancestors 'none'`;

/** What a host reads of the built site, and serves to nobody. */
export const isForHost = (path: string): boolean => /^\/(?:_headers|_redirects)$/.test(path);

/** May pages of any origin read what stands at a path? Data, texts, cards and the log they may, pages not. */
export const isOpen = (path: string): boolean =>
  (path.startsWith('/ledger/') && !/(?:\/|\.html)$/.test(path)) ||
  /\.(?:csv|json|md|png|txt|xml)$/.test(path);
