/**
 * Opens in place what a mark in the text leads to: the note of a cited source, the ticket of a number.
 * The note itself is lifted out of its list and put back, so that a page holds each once. Without this
 * the mark is a plain link to the note; where it opens, how it closes and the focus are the platform's.
 */
const NOTES = '.tickets > li, .sources > li';

function open(note: HTMLElement, mark: HTMLAnchorElement, part: HTMLElement): void {
  const foot = document.createElement('p');
  foot.className = 'shut';
  const link = document.createElement('a');
  Object.assign(link, { href: mark.hash, textContent: 'Where it is listed' });
  const close = document.createElement('button');
  Object.assign(close, { type: 'button', textContent: 'Close' });
  close.addEventListener('click', () => note.hidePopover());
  foot.append(link, close);
  note.append(foot);
  if (part !== note) part.ariaCurrent = 'true';
  note.tabIndex = -1;
  note.popover = 'auto';
  note.addEventListener('toggle', function closed({ newState }) {
    if (newState === 'open') return;
    note.removeEventListener('toggle', closed);
    note.popover = null;
    part.ariaCurrent = null;
    foot.remove();
  });
  note.showPopover({ source: mark });
  note.focus({ preventScroll: true });
  // Not scrollIntoView, which moves the page too.
  if (part !== note) note.scrollTop = part.offsetTop - note.clientHeight / 2;
}

document.addEventListener('click', (event) => {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return;
  const mark = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
  const part = mark && document.getElementById(decodeURIComponent(mark.hash.slice(1)));
  const note = part?.closest<HTMLElement>(NOTES);
  if (!mark || !part || !note || !('popover' in note)) return;
  // In an open note the way to its list is a link like any.
  if (note.contains(mark)) return note.popover === null ? undefined : note.hidePopover();
  event.preventDefault();
  open(note, mark, part);
});

// On paper each stands where it is listed.
addEventListener('beforeprint', () => {
  for (const note of document.querySelectorAll<HTMLElement>(':popover-open')) note.hidePopover();
});
