/** A reader's choice for the budget, and how the address's fragment holds it. Pure; it trusts no fragment. */
import type { Load, Plan } from '../measure/budget.ts';
import { WINDOW } from '../measure/context.ts';

/** A server that is not weighed here: only its counts are kept. */
export interface OwnServer extends Load {
  name: string;
}

export interface Choice extends Omit<Plan, 'layout' | 'write' | 'read'> {
  /** Names of weighed servers. */
  servers: string[];
  own: OwnServer[];
  /** A model whose prices are cited; empty: the two prices are the reader's. */
  model: string;
  write: number | null;
  read: number | null;
  /** As parseLayout reads it; empty: no local model. */
  layout: string;
}

/** A start that a reader changes: habits differ too much for these to be anybody's. */
export const DEFAULTS: Choice = {
  ...{ servers: [], own: [], loading: 'upfront', window: WINDOW, turns: 20, sessions: 100 },
  ...{ model: '', write: null, read: null, layout: '' },
};

/** Of any number that a reader gives. */
export const MOST = 1e9;
const OWN = 20;
const NAME = 80;

/** Without `#`; what is as in DEFAULTS is left out, so that the plain address is the plain choice. */
export function printChoice(choice: Choice): string {
  const fields = new URLSearchParams();
  if (choice.servers.length > 0) fields.set('s', choice.servers.join(','));
  for (const { name, upfront, deferred } of choice.own) {
    fields.append('own', `${upfront},${deferred},${name}`);
  }
  for (const key of ['loading', 'window', 'turns', 'sessions', 'model', 'layout'] as const) {
    if (choice[key] !== DEFAULTS[key]) fields.set(key, String(choice[key]));
  }
  if (choice.model === '') {
    for (const key of ['write', 'read'] as const) {
      if (choice[key] !== null) fields.set(key, String(choice[key]));
    }
  }
  return fields.toString().replaceAll('%2C', ',').replaceAll('%3D', '=');
}

/** With or without `#`; what it does not say, or says badly, is as in DEFAULTS. */
export function parseChoice(fragment: string): Choice {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const number = (text: string | null): number | null => {
    const value =
      text === null || !/^\d{1,10}(?:\.\d{1,6})?$/.test(text) ? Number.NaN : Number(text);
    return value <= MOST ? value : null;
  };
  const whole = (key: 'window' | 'turns' | 'sessions'): number => {
    const value = number(fields.get(key));
    return value !== null && Number.isInteger(value) && value > 0 ? value : DEFAULTS[key];
  };
  return {
    servers: [...new Set((fields.get('s') ?? '').split(',').filter((name) => name !== ''))],
    own: fields
      .getAll('own')
      .slice(0, OWN)
      .flatMap((text) => {
        const [first = '', second = '', ...name] = text.split(',');
        const [upfront, deferred] = [number(first), number(second)];
        if (upfront === null || deferred === null) return [];
        return { upfront, deferred, name: name.join(',').slice(0, NAME) };
      }),
    loading: fields.get('loading') === 'deferred' ? 'deferred' : 'upfront',
    ...{ window: whole('window'), turns: whole('turns'), sessions: whole('sessions') },
    model: fields.get('model') ?? DEFAULTS.model,
    ...{ write: number(fields.get('write')), read: number(fields.get('read')) },
    layout: (fields.get('layout') ?? DEFAULTS.layout).slice(0, NAME),
  };
}
