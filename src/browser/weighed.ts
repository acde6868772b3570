/**
 * Shows on `/weigh/` what came of a weighing: anatomy, what to cut first, what repeats, what could not be
 * read. It loads when something is weighed; nothing that it is given is ever markup.
 */
import type { Cut } from '../measure/cuts.ts';
import { bar } from '../render/bars.ts';
import { counted, listed, noun, number } from '../render/counted.ts';
import type { Own, OwnRepeat, Pasted } from './pasted.ts';

/** Tools that are shown before the rest is unfolded. */
const AT_ONCE = 10;

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

/** What was weighed, or why it was not. */
export function shown(answer: Pasted): Node[] {
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
      stat(number(upfront), 'tokens in every request, upfront'),
      stat(number(deferred), 'deferred: names alone'),
      stat(
        number(sum((one) => one.tools)),
        noun(
          sum((one) => one.tools),
          'tool',
        ),
      ),
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
    `Drop ${counted(parts, 'definition')} that nothing refers to. It loses nothing.`,
  repeats: ({ parts, tools }) =>
    `Say ${counted(parts, 'repeated part')} once, and refer to ${noun(parts, 'it', 'them')}.${tools.length > 0 ? ` ${tools.slice(0, 3).join(', ')}${tools.length > 3 ? ` and ${tools.length - 3} more` : ''} would hold references where they held none.` : ''}`,
  description: ({ tools }) => `Shorten the description of ${tools[0]}: at most`,
  tool: ({ tools }) => `Leave out ${tools[0]}, if nobody needs it`,
};

function cutList(cuts: readonly Cut[], whole: number): Node[] {
  const items = cuts.map((cut) =>
    element('li', [
      element('span', CUTS[cut.kind](cut)),
      element('span', percent(cut.saves, whole), { className: 'mono' }),
      element('b', `−${number(cut.saves)}`),
    ]),
  );
  // What --slim carries out; they come first.
  const written = cuts.filter(({ kind }) => kind === 'unused' || kind === 'repeats').length;
  return [
    element('h3', 'What to cut first'),
    element('ol', items, { className: 'anatomy' }),
    ...(written === 0
      ? []
      : [
          element('p', [
            `A command writes ${written === 1 ? 'the first' : 'the first two'} for you: `,
            element('code', 'npm run -s weigh -- --file tools.json --slim slim.json'),
          ]),
        ]),
  ];
}

const KEY =
  'Name, description and schema, then the whole; the rest of it is the JSON around them (keys, quotes, braces).';

function anatomy({ server, tools, upfront, perTool }: Own, several: boolean): Node[] {
  const largest = perTool[0]?.total ?? 1;
  const items = perTool.map(({ name, total, parts }) =>
    element('li', [
      element('bdi', name),
      element('span', parts?.map(number).join(' + ') ?? '', { className: 'mono' }),
      element('b', number(total)),
      strip(parts ?? [0, 0, total], largest),
    ]),
  );
  const heading = several
    ? `${server}: ${counted(upfront, 'token')}, ${counted(tools, 'tool')}`
    : 'Tool by tool';
  const list = (of: HTMLElement[]) => element('ol', of, { className: 'anatomy' });
  const rest = items.slice(AT_ONCE);
  const more = tools - items.length;
  const untold = more > 0 && items.length > 0 ? [`And ${number(more)} smaller ones.`] : [];
  return [
    element('h3', heading),
    ...(perTool[0]?.parts ? [element('p', KEY, { className: 'soft' })] : []),
    ...(items.length === 0 ? [] : [list(items.slice(0, AT_ONCE))]),
    ...(rest.length === 0
      ? []
      : [
          element('details', [
            element('summary', `${number(rest.length)} more`),
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
          `${number(copies)} times ${counted(bytes, 'byte')}, first in `,
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
      `It names ${counted(servers.length, 'server')}: ${listed(servers)}. A page can’t start them; this can, in a clone of the site, and its report can be dropped here.`,
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
