/**
 * The reader's own turns, days and price beside a table of what a turn costs. It multiplies and shows;
 * nothing is kept or sent. Without it the table above says the same for one fixed number of turns.
 */
import { counted } from '../render/counted.ts';
import { wanted } from './field.ts';

for (const form of document.querySelectorAll<HTMLFormElement>('form.sum')) {
  const why = form.querySelector('p');
  const show = () => {
    const fields = [...form.querySelectorAll('input')];
    const wrong = fields.flatMap((field) => wanted(field) ?? []);
    if (why) {
      why.textContent = wrong.join(' ');
      why.hidden = wrong.length === 0;
    }
    const [turns, days, price] = fields.map(({ valueAsNumber }) => valueAsNumber);
    for (const row of form.querySelectorAll<HTMLLIElement>('li[data-tokens]')) {
      const out = row.querySelector('span');
      if (out === null) continue;
      if (wrong.length > 0 || turns === undefined || days === undefined) {
        out.textContent = '–';
        continue;
      }
      const tokens = Number(row.dataset['tokens']) * turns * days;
      const money =
        price === undefined || Number.isNaN(price)
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
