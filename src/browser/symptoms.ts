/**
 * The filter of the page of symptoms: by client, version and words, kept in the address so that it can
 * be passed on. Without it the page lacks nothing but the filter: all rows stand there.
 */
import { within } from '../measure/versions.ts';
import { counted } from '../render/counted.ts';

const form = document.querySelector<HTMLFormElement>('#filter');
const rows = [...document.querySelectorAll<HTMLLIElement>('#symptoms > li')];
const FIELDS = ['client', 'version', 'q'] as const;

function apply(form: HTMLFormElement): void {
  const data = new FormData(form);
  const [client, version, q] = FIELDS.map((name) => String(data.get(name) ?? '').trim());
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const known = /^\d+(?:\.\d+){0,2}$/.test(version ?? '') ? version : undefined;
  let shown = 0;
  for (const row of rows) {
    const { since = null, until = null } = row.dataset;
    const text = row.textContent?.toLowerCase() ?? '';
    const fits =
      (client === '' || row.dataset['client'] === client) &&
      (known === undefined || within(known, { since, until })) &&
      words.every((word) => text.includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  const said = form.querySelector('[role="status"]');
  const unread = version !== '' && known === undefined ? ' A version is numbers with points.' : '';
  if (said !== null) said.textContent = `${shown} of ${counted(rows.length, 'row')}.${unread}`;
  const url = new URL(location.href);
  for (const name of FIELDS) {
    const value = String(data.get(name) ?? '').trim();
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  history.replaceState(null, '', url);
}

if (form !== null) {
  const asked = new URL(location.href).searchParams;
  for (const name of FIELDS) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = asked.get(name) ?? '';
    }
  }
  form.hidden = false;
  form.addEventListener('input', () => apply(form));
  form.addEventListener('submit', (event) => event.preventDefault());
  apply(form);
}
