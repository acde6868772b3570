/**
 * The reader's own turns, days and price beside a table of what a turn costs. It multiplies and shows;
 * nothing is kept or sent. Without it the table above says the same for one fixed number of turns.
 */
import { counted } from '../render/counted.ts';

for (const form of document.querySelectorAll<HTMLFormElement>('form.sum')) {
  const show = () => {
    const data = new FormData(form);
    const [turns, days, price] = ['turns', 'days', 'price'].map((name) => {
      const text = String(data.get(name) ?? '').trim();
      return text === '' ? null : Number(text);
    });
    for (const row of form.querySelectorAll<HTMLLIElement>('li[data-tokens]')) {
      const out = row.querySelector('span');
      if (out === null) continue;
      const tokens = Number(row.dataset['tokens']) * (turns ?? 0) * (days ?? 0);
      const money =
        price === null || price === undefined
          ? ''
          : `, ${((tokens * price) / 1e6).toLocaleString('en', { style: 'currency', currency: 'USD' })} where nothing is cached`;
      out.textContent = `${counted(tokens, 'input token')} a month${money}`;
    }
  };
  form.hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  show();
}
