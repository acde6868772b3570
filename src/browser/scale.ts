/**
 * Makes `/weigh/` work: takes what is pasted, dropped or chosen, has a worker count it, shows what came
 * of it, and hands each server to the budget. Nothing that it is given leaves the page, and nothing in
 * it is ever markup.
 */
import type { Cut } from '../measure/cuts.ts';
import { SHAPES, type Shape } from '../measure/shape.ts';
import { bar } from '../render/bars.ts';
import { startBudget } from './budget.ts';
import type { PasteAnswer, PasteRequest } from './paste.worker.ts';
import workerUrl from './paste.worker.ts?worker&url';
import type { Own, OwnRepeat, Pasted } from './pasted.ts';
import { startWorker } from './start.ts';

/** Characters from which a text is kept beside the field: showing it there would hold up the page. */
const HEAVY = 200_000;
/** Tools that are shown before the rest is unfolded. */
const AT_ONCE = 10;

const n = (count: number): string => count.toLocaleString('en');
const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)}%`;

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  content: string | readonly (Node | string)[] = '',
  about: Partial<Pick<HTMLElement, 'className' | 'id' | 'tabIndex'>> = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.append(...(typeof content === 'string' ? [content] : content));
  return Object.assign(made, about);
}

/** Numbers alone go into it, so that it is the one thing here that is written as markup. */
function strip(parts: readonly number[], largest: number): Node {
  const holder = document.createElement('template');
  holder.innerHTML = bar(parts, largest);
  return holder.content;
}

function start(form: HTMLFormElement): void {
  const area = form.querySelector('textarea');
  const file = form.querySelector<HTMLInputElement>('input[type=file]');
  const name = form.querySelector<HTMLInputElement>('input[name=server]');
  const shape = form.querySelector<HTMLSelectElement>('select[name=shape]');
  const press = form.querySelector<HTMLButtonElement>('button[type=submit]');
  const stop = form.querySelector<HTMLButtonElement>('button[type=button]');
  const held = form.querySelector<HTMLElement>('.held');
  const status = document.getElementById('scale-status');
  const bars = document.querySelector<HTMLProgressElement>('#scale-progress');
  const result = document.getElementById('scale-result');
  const budgetForm = document.querySelector<HTMLFormElement>('#budget-form');
  if (!area || !file || !name || !shape || !press || !stop || !held) return;
  if (!status || !bars || !result || !budgetForm) return;
  const budget = startBudget(budgetForm);
  form.hidden = false;

  /** What is weighed when it is not what stands in the field. */
  let kept: string | Blob | null = null;
  let running: { worker: Promise<Worker>; stop: (answer: Pasted | null) => void } | null = null;

  const keep = (what: string | Blob, says: string): void => {
    kept = what;
    area.value = '';
    held.textContent = says;
    held.hidden = false;
    void weighNow();
  };

  async function weighNow(): Promise<void> {
    if (!area || !name || !shape || !press || !stop || !status || !bars || !result) return;
    running?.stop(null);
    const given = SHAPES.find((one) => one === shape.value) ?? 'anthropic';
    const request: PasteRequest = {
      from: kept ?? area.value,
      server: name.value.trim() || 'mine',
      shape: given satisfies Shape,
    };
    bars.hidden = false;
    bars.removeAttribute('value');
    stop.hidden = false;
    result.replaceChildren();
    const began = performance.now();
    const { promise, resolve } = Promise.withResolvers<Pasted | null>();
    const worker = startWorker(workerUrl);
    const mine = { worker, stop: resolve };
    running = mine;
    worker.then(
      (started) => {
        started.addEventListener('message', ({ data }: MessageEvent<PasteAnswer>) => {
          if ('result' in data) resolve(data.result);
          else {
            status.textContent = data.says;
            if (data.progress !== null) bars.value = data.progress;
          }
        });
        started.addEventListener('error', ({ message }) =>
          resolve({ kind: 'fault', message: message || 'the worker failed', at: null }),
        );
        started.postMessage(request);
      },
      (error: Error) => resolve({ kind: 'fault', message: error.message, at: null }),
    );
    const answer = await promise;
    worker.then(
      (started) => started.terminate(),
      () => undefined,
    );
    if (running !== mine) return;
    running = null;
    bars.hidden = true;
    stop.hidden = true;
    if (answer === null) {
      status.textContent = 'Stopped.';
      return;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    status.textContent =
      answer.kind === 'weighed'
        ? `Weighed here in ${seconds} s; nothing left this page.`
        : answer.kind === 'config'
          ? 'A client’s configuration: a page can’t start its servers.'
          : 'It can’t be weighed.';
    result.append(...shown(answer));
    if (answer.kind === 'weighed') budget.own(answer.servers);
    result.focus();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void weighNow();
  });
  stop.addEventListener('click', () => running?.stop(null));
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void weighNow();
  });
  area.addEventListener('input', () => {
    kept = null;
    held.hidden = true;
  });
  area.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length < HEAVY) return;
    event.preventDefault();
    keep(text, `${n(text.length)} characters pasted; too many to show here.`);
  });
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (chosen) keep(chosen, `${chosen.name}, ${n(chosen.size)} bytes`);
  });
  form.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  form.addEventListener('dragleave', () => form.classList.remove('over'));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    const dropped = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData('text/plain') ?? '';
    if (dropped) keep(dropped, `${dropped.name}, ${n(dropped.size)} bytes`);
    else if (text !== '') keep(text, `${n(text.length)} characters dropped`);
  });
}

function shown(answer: Pasted): Node[] {
  if (answer.kind === 'fault') return faulty(answer);
  if (answer.kind === 'config') return configured(answer);
  const { what, method, servers, details, collisions } = answer;
  const sum = (of: (server: Own) => number) => servers.reduce((so, one) => so + of(one), 0);
  const [upfront, deferred] = [sum((one) => one.upfront), sum((one) => one.deferred)];
  const stat = (value: string, label: string) =>
    element('div', [element('dt', label), element('dd', value)]);
  const stats = element(
    'dl',
    [
      stat(n(upfront), 'tokens in every request, upfront'),
      stat(n(deferred), 'deferred: names alone'),
      stat(n(sum((one) => one.tools)), sum((one) => one.tools) === 1 ? 'tool' : 'tools'),
      ...(details === null
        ? []
        : [stat(percent(details.redundantBytes, details.bytes), 'of its bytes repeat a block')]),
    ],
    { className: 'stats' },
  );
  const about = element('p', [`From a ${what}, counted as `, element('code', method), '.'], {
    className: 'soft',
  });
  return [
    element('h2', 'What it weighs', { id: 'weighed' }),
    stats,
    about,
    ...(details === null
      ? [
          element(
            'p',
            `A ${what} holds counts and no definitions: what repeats, and what to cut first, a list of tools tells.`,
            { className: 'soft' },
          ),
        ]
      : cutList(details.cuts, upfront)),
    ...servers.flatMap((server) => anatomy(server, servers.length > 1)),
    ...(details === null ? [] : repeatList(details.repeats)),
    ...(collisions.length === 0
      ? []
      : [
          element('h3', 'Names that collide'),
          element(
            'ul',
            collisions
              .slice(0, 20)
              .map(({ tools }) =>
                element('li', tools.map(({ server, tool }) => `${tool} of ${server}`).join(', ')),
              ),
          ),
        ]),
  ];
}

const CUTS: Record<Cut['kind'], (cut: Cut) => string> = {
  unused: ({ parts }) =>
    `Drop ${n(parts)} ${parts === 1 ? 'definition' : 'definitions'} that nothing refers to. It loses nothing.`,
  repeats: ({ parts, tools }) =>
    `Say ${n(parts)} repeated ${parts === 1 ? 'part' : 'parts'} once, and refer to ${parts === 1 ? 'it' : 'them'}.${tools.length > 0 ? ` ${tools.slice(0, 3).join(', ')}${tools.length > 3 ? ` and ${tools.length - 3} more` : ''} would hold references where they held none.` : ''}`,
  description: ({ tools }) => `Shorten what ${tools[0]} says of itself: at most`,
  tool: ({ tools }) => `Leave out ${tools[0]}, if nobody needs it`,
};

function cutList(cuts: readonly Cut[], whole: number): Node[] {
  const items = cuts.map((cut) =>
    element('li', [
      element('span', CUTS[cut.kind](cut)),
      element('span', percent(cut.saves, whole), { className: 'mono' }),
      element('b', `−${n(cut.saves)}`),
    ]),
  );
  return [
    element('h3', 'What to cut first'),
    element('ol', items, { className: 'anatomy' }),
    element('p', [
      'A command writes the first two for you: ',
      element('code', 'npm run -s weigh -- --file tools.json --slim slim.json'),
    ]),
  ];
}

function anatomy({ server, tools, upfront, perTool }: Own, several: boolean): Node[] {
  const largest = perTool[0]?.total ?? 1;
  const items = perTool.map(({ name, total, parts }) =>
    element('li', [
      element('bdi', name),
      element('span', parts?.map(n).join(' + ') ?? '', { className: 'mono' }),
      element('b', n(total)),
      strip(parts ?? [0, 0, total], largest),
    ]),
  );
  const heading = several ? `${server}: ${n(upfront)} tokens, ${n(tools)} tools` : 'Tool by tool';
  const list = (of: HTMLElement[]) => element('ol', of, { className: 'anatomy' });
  const rest = items.slice(AT_ONCE);
  const more = tools - items.length;
  const untold = more > 0 && items.length > 0 ? [`And ${n(more)} smaller ones.`] : [];
  return [
    element('h3', heading),
    ...(items.length === 0 ? [] : [list(items.slice(0, AT_ONCE))]),
    ...(rest.length === 0
      ? []
      : [
          element('details', [
            element('summary', `${n(rest.length)} more`),
            list(rest),
            ...untold.map((text) => element('p', text)),
          ]),
        ]),
  ];
}

function repeatList(repeats: readonly OwnRepeat[]): Node[] {
  if (repeats.length === 0) return [];
  return [
    element('h3', 'What it says again'),
    element(
      'ol',
      repeats.map(({ copies, bytes, tool, excerpt }) =>
        element('li', [
          `${n(copies)} times ${n(bytes)} bytes, first in `,
          element('bdi', tool),
          element('pre', [element('code', excerpt)], { tabIndex: 0 }),
        ]),
      ),
      { className: 'repeats' },
    ),
  ];
}

function faulty({ message, at }: Extract<Pasted, { kind: 'fault' }>): Node[] {
  return [
    element('h2', 'It can’t be weighed', { id: 'weighed' }),
    element('p', at === null ? message : `Line ${at.line}, column ${at.column}: ${message}.`),
    ...(at === null ? [] : [element('pre', [element('code', at.text)], { tabIndex: 0 })]),
    element(
      'p',
      'A tools/list result is taken (bare, in its response, or a line a page), and so are weigh.lock.json and what weigh --json prints.',
      { className: 'soft' },
    ),
  ];
}

function configured({ servers }: Extract<Pasted, { kind: 'config' }>): Node[] {
  return [
    element('h2', 'Run this', { id: 'weighed' }),
    element(
      'p',
      `It names ${n(servers.length)} ${servers.length === 1 ? 'server' : 'servers'}: ${servers.join(', ')}. A page can’t start them; this can, in a clone of the site, and its report can be dropped here.`,
    ),
    element(
      'pre',
      [element('code', 'npm run -s weigh -- --config .mcp.json --json > report.json')],
      { tabIndex: 0 },
    ),
    element('p', 'Only the names above were read from it; nothing was kept or sent.', {
      className: 'soft',
    }),
  ];
}

const form = document.querySelector<HTMLFormElement>('#scale');
if (form !== null) start(form);
