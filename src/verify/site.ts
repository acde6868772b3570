/**
 * Verifies a deployed copy over HTTP: the log that it serves, what its entries mean, and that its
 * articles show just what they fold to. It asks that one site, and follows it nowhere else.
 */
import { nodeHash } from '../disk/hash.ts';
import { postKey } from '../ledger/fold.ts';
import { noteText, parseVkey } from '../ledger/note.ts';
import { type ServedFault, type ServedVerdict, verifyServed } from '../ledger/served.ts';
import { verify } from '../ledger/verify.ts';
import { Problem } from '../problem.ts';
import { forms } from '../render/forms.ts';
import { claimPageFaults, shownFaults } from '../render/shown.ts';

export interface SiteVerdict extends Omit<ServedVerdict, 'files' | 'checkpoint'> {
  /** Articles whose JSON and page were read and held against the fold. */
  articles: number;
  /** Claims whose own page was. */
  claims: number;
}

const ELSEWHERE =
  'Held against the log were, on the pages of articles and claims, claims with their grades and figures, and in the JSON of articles also sources. Prose, styles, scripts and every other page were not: for those build the same commit from a clone and compare the files.';

/** Milliseconds that one file may take. */
const PATIENCE = 60_000;

/** `home`: the site's front page. `vkey`: the key to trust, as text. Throws Problem `site.unreachable` or `site.answer`. */
export async function verifySite(home: string, vkey?: string): Promise<SiteVerdict> {
  const base = new URL(home.endsWith('/') ? home : `${home}/`);
  const get = (path: string) => fetchBytes(new URL(path, base));
  const served = await verifyServed({
    get: (path) => get(`ledger/${path}`),
    hash: nodeHash,
    ...(vkey === undefined ? {} : { vkey }),
  });
  const { files, checkpoint, ...verdict } = served;
  const faults: ServedFault[] = [...served.faults];

  // What the entries mean: schemas, references, and with them the fold.
  const { fold, problems } = verify({
    origin: served.origin,
    files,
    blobs: [],
    hash: nodeHash,
    ...(served.signed !== null && checkpoint !== null && served.key !== null
      ? {
          signed: {
            checkpoints: [{ name: String(served.signed.size), bytes: checkpoint }],
            vkey: parseVkey(served.key.text),
          },
        }
      : {}),
  });
  for (const { code, seq, message } of problems) {
    if (faults.some((fault) => fault.code === code)) continue;
    faults.push({
      code,
      at: 'entries/',
      message: seq === null ? message : `entry ${seq}: ${message}`,
    });
  }

  const read = async (path: string): Promise<string | null> => {
    const bytes = await get(path.slice(1));
    if (bytes !== null) return noteText(bytes);
    faults.push({ code: 'page.missing', at: path, message: 'is not there' });
    return null;
  };
  let [articles, claims] = [0, 0];
  for (const { current } of fold.articles.values()) {
    const slug = current.entry.body.id;
    const { json, page } = forms(slug);
    const [api, html] = [await read(json), await read(page)];
    if (api === null || html === null) continue;
    for (const fault of shownFaults(fold, slug, api, html)) faults.push({ ...fault, at: page });
    articles++;
  }
  for (const { current } of fold.claims.values()) {
    const { article: slug, body } = current.entry;
    if (slug === null || !fold.articles.has(postKey(slug, slug))) continue;
    const page = `${forms(slug).page}claims/${body.id}/`;
    const html = await read(page);
    if (html === null) continue;
    for (const fault of claimPageFaults(fold, slug, body.id, html)) {
      faults.push({ ...fault, at: page });
    }
    claims++;
  }
  const limits = [...served.limits, ELSEWHERE];
  return { ...verdict, faults, ok: faults.length === 0, articles, claims, limits };
}

async function fetchBytes(url: URL): Promise<Uint8Array | null> {
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    const { cause: deeper, message } = cause as Error;
    throw new Problem(
      'site.unreachable',
      `can't be read: ${(deeper as Error | undefined)?.message ?? message}`,
      {
        at: url.href,
        mend: 'Give the address of the front page, as it is served, without a redirect.',
        cause,
      },
    );
  }
  if (response.status === 404 || response.status === 410) return null;
  throw new Problem('site.answer', `was answered with ${response.status}`, {
    at: url.href,
    mend: 'See what the server says of it, and try again.',
  });
}
