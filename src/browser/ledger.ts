/**
 * Gives the ledger's page its button "verify the whole ledger". What was seen is remembered in this
 * browser, so that a log that shrank or was written anew is told the next time.
 */
import type { Head } from '../ledger/consistency.ts';
import { counted, number } from '../render/counted.ts';
import { startWorker } from './start.ts';
import type { VerifyAnswer, VerifyRequest } from './verify.worker.ts';
import workerUrl from './verify.worker.ts?worker&url';

const SEEN = 'weighbridge.seen';

/** The signed head that held here last. */
function recall(origin: string): Head | undefined {
  try {
    const { size, root } = JSON.parse(localStorage.getItem(`${SEEN}:${origin}`) ?? '') as {
      size: number;
      root: number[];
    };
    return { size, root: Uint8Array.from(root) };
  } catch {
    return undefined; // nothing was seen, or the browser keeps nothing
  }
}
function remember(origin: string, { size, root }: Head): void {
  try {
    localStorage.setItem(`${SEEN}:${origin}`, JSON.stringify({ size, root: [...root] }));
  } catch {
    // A browser that keeps nothing can't tell next time; the verdict stands all the same.
  }
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function offer(place: HTMLElement): void {
  const { home = '/', origin = '' } = place.dataset;
  const key = document.createElement('input');
  key.id = 'trusted-key';
  key.autocomplete = 'off';
  key.spellcheck = false;
  const label = element('label', 'Public key as you had it from elsewhere (empty: the site’s own)');
  (label as HTMLLabelElement).htmlFor = key.id;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'press';
  button.textContent = 'Verify the whole ledger in this browser';
  const bar = document.createElement('progress');
  bar.hidden = true;
  bar.setAttribute('aria-label', 'files read');
  const result = document.createElement('div');
  result.className = 'again';
  result.setAttribute('role', 'status');
  place.append(label, key, button, bar, result);

  button.addEventListener('click', async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    bar.hidden = false;
    bar.removeAttribute('value');
    result.dataset['state'] = 'busy';
    result.replaceChildren(element('p', 'reading and hashing …'));
    const began = performance.now();
    const answer = await verifyHere(
      { home: new URL(home, document.baseURI).href, ...asked(key.value, recall(origin)) },
      (done, of) => {
        if (of !== null) [bar.max, bar.value] = [of, done];
      },
    ).catch((error: Error) => ({ failed: error.message }));
    button.ariaDisabled = null;
    bar.hidden = true;
    if ('failed' in answer) {
      result.dataset['state'] = 'differs';
      result.replaceChildren(element('p', `could not be verified: ${answer.failed}`));
      return;
    }
    const { ok, entries, signed, tiles, proofs, blobs, faults, limits } = answer.verdict;
    if (ok && signed !== null) remember(origin, signed);
    result.dataset['state'] = ok ? 'equal' : 'differs';
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const list = document.createElement('ul');
    list.append(...limits.map((limit) => element('li', limit)));
    result.replaceChildren(
      element('p', ok ? `The ledger holds (${seconds} s).` : 'The ledger does NOT hold.'),
      ...faults.map(({ code, at, message }) => element('p', `${at}: ${message} [${code}]`)),
      element(
        'p',
        `${counted(entries, 'entry', 'entries')}, ${signed === null ? 'none' : number(signed.size)} of them signed; ${counted(tiles, 'tile')}, ${counted(proofs, 'proof')} and ${counted(blobs, 'payload')} hold.`,
      ),
      element(
        'p',
        'Checked here: bytes, order, links, tree, signature, tiles, proofs, payloads. What entries mean, schemas and references, the command line checks. This verifier came from the site itself: it is a convenience.',
      ),
      list,
    );
  });
}

function asked(vkey: string, seen: Head | undefined): Omit<VerifyRequest, 'home'> {
  return {
    ...(vkey.trim() === '' ? {} : { vkey: vkey.trim() }),
    ...(seen === undefined ? {} : { seen }),
  };
}

async function verifyHere(
  request: VerifyRequest,
  progress: (done: number, of: number | null) => void,
): Promise<Exclude<VerifyAnswer, { done: number }>> {
  const worker = await startWorker(workerUrl);
  try {
    return await new Promise((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<VerifyAnswer>) => {
        if ('done' in data) progress(data.done, data.of);
        else resolve(data);
      });
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}

const place = document.getElementById('verify-whole');
if (place !== null) offer(place);
