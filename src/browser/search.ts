/**
 * Search over the whole site: `/` or the button opens it, Escape closes it. Until it is opened this is
 * all that is loaded; the index comes piece by piece as words are typed. Results are shown as text.
 */
interface Result {
  url: string;
  plain_excerpt: string;
  meta: { title?: string; kind?: string };
}
interface Pagefind {
  options(options: { baseUrl: string }): Promise<void>;
  init(): Promise<void>;
  /** Null when a newer search was begun meanwhile. */
  debouncedSearch(
    words: string,
    options?: object,
    milliseconds?: number,
  ): Promise<{ results: { data(): Promise<Result> }[] } | null>;
}

/** Results that are shown. */
const MOST = 12;

const button = document.querySelector<HTMLButtonElement>('button.search');
const home = button?.dataset['home'] ?? '/';
let index: Promise<Pagefind> | undefined;
let dialog: HTMLDialogElement | undefined;

async function load(): Promise<Pagefind> {
  const pagefind: Pagefind = await import(/* @vite-ignore */ `${home}pagefind/pagefind.js`);
  await pagefind.options({ baseUrl: home });
  await pagefind.init();
  return pagefind;
}

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  with_: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), with_);
}

function build(): HTMLDialogElement {
  const made = make('dialog', { className: 'search' });
  made.setAttribute('aria-label', 'Search');
  const input = make('input', { type: 'search', placeholder: 'claims, symptoms, servers, tools' });
  input.setAttribute('aria-label', 'Search this site');
  input.autocomplete = 'off';
  const status = make('p', { className: 'soft', textContent: 'Escape closes.' });
  status.setAttribute('role', 'status');
  const list = make('ol');
  const close = make('button', { type: 'button', textContent: 'Close' });
  close.addEventListener('click', () => made.close());
  const bar = make('div');
  bar.append(input, close);
  made.append(bar, status, list);

  input.addEventListener('input', async () => {
    const words = input.value.trim();
    if (words === '') {
      list.replaceChildren();
      status.textContent = 'Escape closes.';
      return;
    }
    status.textContent = 'Looking…';
    try {
      index ??= load();
      const found = await (await index).debouncedSearch(words, {}, 120);
      if (found === null) return;
      const shown = await Promise.all(found.results.slice(0, MOST).map((one) => one.data()));
      if (input.value.trim() !== words) return;
      const count = found.results.length;
      status.textContent =
        count === 0
          ? 'Nothing has all of these words.'
          : count > MOST
            ? `${count} found, the first ${MOST}:`
            : `${count} found:`;
      list.replaceChildren(...shown.map(item));
    } catch {
      index = undefined;
      status.textContent = 'The index could not be loaded. Try again, or look through /llms.txt.';
    }
  });
  // Down and up go through what was found; Enter in the field takes the first.
  made.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const to = at + (event.key === 'ArrowDown' ? 1 : -1);
      (to < 0 ? input : links[Math.min(to, links.length - 1)])?.focus();
    } else if (event.key === 'Escape') {
      // Of itself a search field that holds words is emptied by the first.
      event.preventDefault();
      made.close();
    } else if (event.key === 'Enter' && event.target === input) links[0]?.click();
  });
  made.addEventListener('click', (event) => {
    // The backdrop, or a result on this very page.
    if (event.target === made || (event.target as Element).closest('a')) made.close();
  });
  document.body.append(made);
  return made;
}

function item({ url, plain_excerpt, meta }: Result): HTMLLIElement {
  const line = make('li');
  const link = make('a', { href: url, textContent: meta.title ?? url });
  line.append(
    make('span', { className: 'mono', textContent: meta.kind ?? '' }),
    link,
    make('p', { className: 'soft', textContent: plain_excerpt }),
  );
  return line;
}

function open(): void {
  const first = dialog === undefined;
  dialog ??= build();
  if (!dialog.open) dialog.showModal();
  const input = dialog.querySelector('input');
  if (first && input && document.querySelector('[data-lost]')) {
    // The words of an address that leads nowhere are what is looked for.
    input.value = location.pathname
      .slice(home.length)
      .replace(/\.[a-z]+$/, '')
      .replace(/\W+/g, ' ')
      .trim();
    input.dispatchEvent(new Event('input'));
  }
  input?.select();
}

if (button !== null) {
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    // A field that was just closed away has the focus still, until the page is drawn again.
    const typing = (event.target as Element)
      .closest?.('input, textarea, select, [contenteditable]')
      ?.checkVisibility();
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    event.preventDefault();
    open();
  });
}
