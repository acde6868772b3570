/**
 * Makes the form of objections answer on its page, keeps each receipt in this browser and checks it, and
 * shows what is queued apart from what is in the log. Without it the form is a plain one.
 */
import type { Post } from '../intake/post.ts';
import type { Receipt } from '../intake/receipt.ts';
import { shown } from '../intake/shown.ts';

const KEPT = 'weighbridge.receipts';
/** Of the list of what is queued, which is the whole article's. */
const MOST_PAGES = 10;
interface Held {
  receipt: Receipt;
  body: string;
  claim: string | null;
}
interface Queued {
  id: string;
  claim: string | null;
  post: Record<string, unknown> | null;
}

function held(): Held[] {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '[]') as Held[];
  } catch {
    return []; // nothing was kept, or the browser keeps nothing
  }
}
/** False where the browser keeps nothing; then the reader must. */
function hold(one: Held): boolean {
  try {
    const all = held().filter(({ receipt }) => receipt.id !== one.receipt.id);
    localStorage.setItem(KEPT, JSON.stringify([...all, one]));
    return true;
  } catch {
    return false;
  }
}

function element(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = shown(text);
  if (className !== '') made.className = className;
  return made;
}

const read = async (path: string): Promise<unknown> => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`was answered with ${response.status}`);
  return response.json();
};

async function showQueued(place: HTMLElement): Promise<void> {
  const own: Queued[] = [];
  let next: number | null = null;
  for (let asked = 0; asked === 0 || (next !== null && asked < MOST_PAGES); asked++) {
    const after = next === null ? '' : `?after=${next}`;
    const page = (await read(`${place.dataset['list']}${after}`)) as {
      queued: Queued[];
      next?: number | null;
    };
    own.push(...page.queued.filter(({ claim }) => claim === place.dataset['claim']));
    next = page.next ?? null;
  }
  if (own.length === 0) return place.replaceChildren();
  const list = document.createElement('ul');
  list.className = 'objections';
  for (const { post } of own) {
    const item = document.createElement('li');
    item.append(
      element('p', 'queued, not in the log', 'soft'),
      element('blockquote', String(post?.['objection'] ?? ''), 'said'),
      element('p', `by ${String(post?.['actor'] ?? '')}`, 'soft'),
    );
    list.append(item);
  }
  place.replaceChildren(element('h3', 'Queued'), list);
}

/** What a check of a receipt comes to, in a sentence. */
async function check(
  { receipt, body }: Held,
  home: string,
): Promise<[holds: boolean, said: string]> {
  // The arithmetic of signatures is most of this script, and few readers check one.
  const [{ receiptFault }, { parseVkey }] = await Promise.all([
    import('../intake/receipt.ts'),
    import('../ledger/note.ts'),
  ]);
  const { vkey } = (await read(`${home}api/intake.json`)) as { vkey: string | null };
  const fault = receiptFault(receipt, body, vkey === null ? null : parseVkey(vkey));
  if (fault !== null) return [false, `The receipt does NOT hold: ${fault}.`];
  const now = (await read(`${home}api/objections/${receipt.id}`)) as Record<string, unknown>;
  if (now['commit'] !== receipt.commit) return [false, 'The site holds another post under its id.'];
  const where = typeof now['seq'] === 'number' ? `, entry #${now['seq']}` : '';
  return [true, `The receipt holds: ${now['status']}${where}. ${receipt.says}`];
}

function showReceipt(one: Held, home: string): HTMLElement {
  const item = document.createElement('div');
  item.className = 'again kept';
  const verdict = element('p', 'Taken; queued, not in the log. The receipt is below.');
  const details = document.createElement('details');
  const pre = element('pre', JSON.stringify(one.receipt, null, 2));
  pre.tabIndex = 0;
  details.append(element('summary', `receipt …${one.receipt.id.slice(-8)}`), pre);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'check the receipt';
  button.addEventListener('click', async () => {
    const [holds, said] = await check(one, home).catch((error: Error): [boolean, string] => [
      false,
      `It could not be checked: ${error.message}.`,
    ]);
    item.dataset['state'] = holds ? 'equal' : 'differs';
    verdict.textContent = shown(said);
  });
  item.append(verdict, details, button);
  return item;
}

function offer(form: HTMLFormElement, receipts: HTMLElement, queued: HTMLElement): void {
  const { article = '', home = '/' } = form.dataset;
  const claim = queued.dataset['claim'] ?? null;
  const mine = held().filter((one) => one.claim === claim && one.body.includes(`"${article}"`));
  for (const one of mine) {
    const item = showReceipt(one, home);
    item.querySelector('p')!.textContent = 'You objected here before.';
    receipts.append(item);
  }
  /** The site takes no posts: what was written is offered as what would be sent. */
  const offerJson = (post: Post, why: string): void => {
    const { kind: _, article: __, ...fields } = JSON.parse(post.body) as Record<string, unknown>;
    const pre = element('pre', JSON.stringify(fields, null, 2));
    pre.tabIndex = 0;
    receipts.prepend(
      element('p', `${why} Send this to the address below, or to whoever keeps the site:`),
      pre,
    );
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { clean, readPost } = await import('../intake/post.ts');
    const fields = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, clean(String(value))]),
    );
    const post = readPost('objection', article, fields);
    receipts.querySelectorAll(':scope > :not(.kept)').forEach((old) => {
      old.remove();
    });
    if ('field' in post) {
      receipts.prepend(element('p', `Not sent: ${post.field} ${post.why}.`));
      return;
    }
    try {
      const response = await fetch(form.action, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(fields),
      });
      const type = response.headers.get('content-type') ?? '';
      if (!type.includes('json') || response.status === 405)
        return offerJson(post, 'This copy of the site takes no posts.');
      const answer = (await response.json()) as Receipt & { detail?: string };
      if (response.status !== 201) {
        receipts.prepend(element('p', `Not taken: ${answer.detail ?? response.status}.`));
        return;
      }
      const one = { receipt: answer, body: post.body, claim };
      const kept = hold(one);
      const item = showReceipt(one, home);
      if (!kept)
        item.append(element('p', 'This browser keeps nothing: save the receipt yourself.'));
      receipts.prepend(item);
      form.reset();
      await showQueued(queued).catch(() => {});
    } catch (error) {
      offerJson(post, `It could not be sent (${(error as Error).message}).`);
    }
  });
  // A static copy answers with a file that has none: then there is nothing to show.
  showQueued(queued).catch(() => {});
}

const [form, receipts, queued] = ['objection-form', 'receipts', 'queued'].map((id) =>
  document.getElementById(id),
);
if (form instanceof HTMLFormElement && receipts && queued) offer(form, receipts, queued);
