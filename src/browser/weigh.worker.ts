/**
 * The worker behind "weigh again": weighs on request and answers with what came of it. It asks this
 * site alone, and holds no state but what it has weighed.
 */
import type { DeriveFigures } from '../measure/figure.ts';
import type { Recipe } from '../render/recipe.ts';
import { fetchBytes } from './fetch.ts';
import { Differs, type Rederived, Rederiver } from './rederive.ts';

export interface WeighRequest {
  /** Of the site, with a slash at its end. */
  home: string;
  /** Whose recipe: `articles/<slug>`, `servers/<name>`. */
  of: string;
  figure: string;
}
export type WeighAnswer = { figure: string } & (
  | { ok: true; rederived: Rederived }
  | { ok: false; code: string; message: string }
);

const modules = import.meta.glob<DeriveFigures>('/content/articles/*/figures.ts', {
  import: 'default',
});
const rederivers = new Map<string, Promise<Rederiver>>();

async function rederiver({ home, of }: WeighRequest): Promise<Rederiver> {
  const at = `api/${of}/weigh.json`;
  const bytes = await fetchBytes(new URL(at, home));
  if (bytes === null) throw new Error(`${at} is not there`);
  return new Rederiver(JSON.parse(new TextDecoder().decode(bytes)) as Recipe, {
    get: (path) => fetchBytes(new URL(`ledger/${path}`, home)),
    tokenizer: async () => (await import('../measure/o200k.ts')).o200k(),
    figures: async (slug) => (await modules[`/content/articles/${slug}/figures.ts`]?.()) ?? null,
  });
}

/** One at a time, so that a payload is fetched and weighed once. */
let last: Promise<unknown> = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<WeighRequest>) => {
  last = last.then(() => answer(data)).then((said) => self.postMessage(said));
};

async function answer(request: WeighRequest): Promise<WeighAnswer> {
  const { of, figure } = request;
  let made = rederivers.get(of);
  if (made === undefined) {
    made = rederiver(request);
    rederivers.set(of, made);
    made.catch(() => rederivers.delete(of));
  }
  try {
    return { figure, ok: true, rederived: await (await made).figure(figure) };
  } catch (error) {
    const code = error instanceof Differs ? error.code : 'failed';
    return { figure, ok: false, code, message: (error as Error).message };
  }
}
self.postMessage('ready');
