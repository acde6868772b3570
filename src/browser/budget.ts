/**
 * The budget of `/weigh/`: reads the form, works it out, and keeps the choice in the address's fragment,
 * which no browser sends anywhere.
 */
import { budget } from '../measure/budget.ts';
import { LAYOUTS, parseLayout } from '../measure/memory.ts';
import { counted, dollars, number } from '../render/counted.ts';
import { type Choice, DEFAULTS, type OwnServer, parseChoice, printChoice } from './choice.ts';
import { wanted } from './field.ts';
import type { Own } from './pasted.ts';

export interface BudgetForm {
  /** Puts servers that were weighed in the page among the chosen. */
  own(servers: readonly Own[]): void;
}

const rounded = (value: number): string => number(Math.round(value));
/** Fields for a number. */
const NUMBERS = ['window', 'turns', 'sessions', 'write', 'read'] as const;
const OTHER = 'other';

export function startBudget(form: HTMLFormElement): BudgetForm {
  const field = <T extends HTMLInputElement | HTMLSelectElement>(name: string): T =>
    form.elements.namedItem(name) as T;
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name=s]')];
  const yours = form.querySelector<HTMLElement>('.yours');
  const custom = form.querySelector<HTMLElement>('.layout');
  const out = (name: string) => form.querySelector<HTMLElement>(`[data-out=${name}]`);
  let own: OwnServer[] = [];
  /** Those of its own that are ticked off, which stay in sight but not in the sum. */
  const off = new Set<OwnServer>();

  const number = (name: string): number | null => {
    const value = field<HTMLInputElement>(name).valueAsNumber;
    return Number.isFinite(value) && value >= 0 ? value : null;
  };
  const whole = (name: 'window' | 'turns' | 'sessions'): number => number(name) ?? DEFAULTS[name];
  const faults = (): string[] =>
    NUMBERS.flatMap((name) => wanted(field<HTMLInputElement>(name)) ?? []);

  function choice(): Choice {
    const kv = field<HTMLSelectElement>('kv').value;
    return {
      servers: boxes.filter(({ checked }) => checked).map(({ value }) => value),
      own: own.filter((one) => !off.has(one)),
      loading:
        form.querySelector<HTMLInputElement>('input[name=loading]:checked')?.value === 'deferred'
          ? 'deferred'
          : 'upfront',
      ...{
        window: whole('window'),
        turns: whole('turns'),
        sessions: whole('sessions'),
      },
      model: field<HTMLSelectElement>('model').value,
      ...{ write: number('write'), read: number('read') },
      layout: kv === OTHER ? field<HTMLInputElement>('layout').value.trim() : kv,
    };
  }

  function say(name: string, text: string): void {
    const place = out(name);
    if (place) place.textContent = text;
  }

  function show(): void {
    if (custom) custom.hidden = field<HTMLSelectElement>('kv').value !== OTHER;
    const wrong = faults();
    if (wrong.length > 0) {
      for (const name of ['tokens', 'share', 'month', 'memory']) say(name, '–');
      say('how', wrong.join(' '));
      return;
    }
    const chosen = choice();
    const { servers, loading, write, read } = chosen;
    let layout: ReturnType<typeof parseLayout> | null = null;
    let why = '';
    try {
      layout = chosen.layout === '' ? null : parseLayout(chosen.layout);
    } catch (error) {
      why = (error as Error).message;
    }
    const loads = [
      ...boxes
        .filter(({ value }) => servers.includes(value))
        .map(({ dataset }) => ({
          upfront: Number(dataset['upfront']),
          deferred: Number(dataset['deferred']),
        })),
      ...chosen.own,
    ];
    const paid = write !== null && read !== null;
    const sum = budget(loads, {
      ...chosen,
      loading,
      ...{ write: write ?? 0, read: read ?? 0 },
      layout: layout?.layout ?? null,
    });
    say('tokens', rounded(sum.tokens));
    say('share', `${sum.share.toFixed(1)}%`);
    say('month', paid ? `$${dollars(sum.month, 2)}` : '–');
    say('memory', sum.reserved === null ? '–' : `${(sum.reserved / 2 ** 30).toFixed(2)} GiB`);
    const { turns, sessions } = chosen;
    say(
      'how',
      `${counted(loads.length, 'server')}, ${loading}: ${counted(sum.tokens, 'token')} in each of ${counted(turns * sessions, 'request')}, ${rounded(sum.monthTokens)} a month.${paid ? ` A session writes them once at $${dollars(write)} and reads them ${counted(turns - 1, 'time')} at $${dollars(read)} a million.` : ''}${why === '' ? '' : ` The layout can’t be read: ${why}.`}`,
    );
  }

  function listOwn(): void {
    yours?.replaceChildren(
      ...own.map((one) => {
        const label = document.createElement('label');
        const box = document.createElement('input');
        box.type = 'checkbox';
        box.checked = !off.has(one);
        box.addEventListener('change', () => {
          if (box.checked) off.delete(one);
          else off.add(one);
        });
        const name = document.createElement('bdi');
        name.textContent = one.name;
        const count = document.createElement('span');
        count.className = 'mono';
        count.textContent = rounded(one.upfront);
        label.append(box, name, ' (yours) ', count);
        return label;
      }),
    );
  }

  function price(): void {
    const { selectedOptions } = field<HTMLSelectElement>('model');
    const { write, read } = selectedOptions[0]?.dataset ?? {};
    if (write !== undefined) field<HTMLInputElement>('write').value = write;
    if (read !== undefined) field<HTMLInputElement>('read').value = read;
  }

  function apply(): void {
    const chosen = parseChoice(location.hash);
    own = chosen.own;
    off.clear();
    for (const box of boxes) box.checked = chosen.servers.includes(box.value);
    for (const radio of form.querySelectorAll<HTMLInputElement>('input[name=loading]')) {
      radio.checked = radio.value === chosen.loading;
    }
    for (const key of ['window', 'turns', 'sessions'] as const) {
      field<HTMLInputElement>(key).valueAsNumber = chosen[key];
    }
    const model = field<HTMLSelectElement>('model');
    const priced = chosen.write !== null || chosen.read !== null;
    const first = [...model.options].find(({ value }) => value !== '')?.value ?? '';
    model.value = priced ? '' : chosen.model || first;
    if (model.selectedIndex === -1) model.value = first;
    price();
    for (const key of ['write', 'read'] as const) {
      const value = chosen[key];
      if (value !== null) field<HTMLInputElement>(key).valueAsNumber = value;
    }
    const known = chosen.layout === '' || Object.hasOwn(LAYOUTS, chosen.layout);
    field<HTMLSelectElement>('kv').value = known ? chosen.layout : OTHER;
    if (!known) field<HTMLInputElement>('layout').value = chosen.layout;
    listOwn();
    show();
  }

  /** The address says what is chosen; going back does not go through every key that was pressed. */
  function keep(): void {
    if (faults().length > 0) return;
    const printed = printChoice(choice());
    history.replaceState(null, '', printed === '' ? location.pathname : `#${printed}`);
  }

  form.addEventListener('input', ({ target }) => {
    const { name } = target as HTMLInputElement;
    if (name === 'model') price();
    if (name === 'write' || name === 'read') field<HTMLSelectElement>('model').value = '';
  });
  // After the field's own listeners, which tick an own server on or off.
  form.addEventListener('change', () => {
    show();
    keep();
  });
  form.addEventListener('input', () => show());
  form.addEventListener('submit', (event) => event.preventDefault());
  window.addEventListener('hashchange', () => {
    if (location.hash === '' || location.hash.includes('=')) apply();
  });
  form.hidden = false;
  apply();
  return {
    own(servers) {
      const known = new Set(servers.map(({ server }) => server));
      own = [
        ...own.filter(({ name }) => !known.has(name)),
        ...servers.map(({ server: name, upfront, deferred }) => ({ name, upfront, deferred })),
      ];
      listOwn();
      show();
      keep();
    },
  };
}
