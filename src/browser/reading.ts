/**
 * What makes a long page easier to read, and is missed by nobody who has no script: the section that is
 * on the screen marked in the contents, a link at each heading, code and page copied at a press.
 */
import { keepWhole } from './whole.ts';

const main = document.querySelector('main');
if (main !== null) keepWhole(main);

/** A button that says for a moment what came of it. */
function copier(label: string, text: () => string | Promise<string>): HTMLButtonElement {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'copy', textContent: label });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(await text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'It could not be copied';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  });
  return button;
}

for (const heading of main?.querySelectorAll('h2[id], h3[id], li[id] > h3') ?? []) {
  const link = document.createElement('a');
  const id = heading.id || heading.parentElement?.id;
  Object.assign(link, { className: 'here', href: `#${id}`, textContent: '#' });
  link.setAttribute('aria-label', `Link to “${heading.textContent}”`);
  heading.append(' ', link);
}

for (const code of main?.querySelectorAll('pre') ?? []) {
  const frame = document.createElement('div');
  frame.className = 'copied';
  code.replaceWith(frame);
  frame.append(
    code,
    copier('Copy', () => code.textContent ?? ''),
  );
}

const page = document.querySelector<HTMLElement>('[data-markdown]');
page?.append(
  copier('Copy this page as markdown', async () => {
    const response = await fetch(page.dataset['markdown'] ?? '');
    if (!response.ok) throw new Error(String(response.status));
    return response.text();
  }),
);

const contents = document.querySelector('nav.contents');
const links = new Map(
  [...(contents?.querySelectorAll('a') ?? [])].map((link) => [
    decodeURIComponent(link.hash.slice(1)),
    link,
  ]),
);
if (contents !== null) {
  let current: HTMLAnchorElement | undefined;
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  /** The last heading that is above the middle of the screen. */
  const mark = () => {
    const past = headings.filter((one) => one.getBoundingClientRect().top < innerHeight / 2);
    const now = links.get(past.at(-1)?.id ?? '');
    if (now === current) return;
    current?.removeAttribute('aria-current');
    current = now;
    now?.setAttribute('aria-current', 'location');
    const list = now?.closest('ol');
    if (now && list) list.scrollTop = now.offsetTop - list.clientHeight / 2;
  };
  const seen = new IntersectionObserver(mark, {
    threshold: [0, 1],
    rootMargin: '0px 0px -50% 0px',
  });
  for (const heading of headings) seen.observe(heading);
}
