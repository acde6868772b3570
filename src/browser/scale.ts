/**
 * Makes `/weigh/` work: takes what is pasted, dropped or chosen, has a worker count it, and hands what
 * came of it to weighed.ts and to the budget. Nothing that it is given leaves the page.
 */
import { SHAPES, type Shape } from '../measure/shape.ts';
import { counted, number } from '../render/counted.ts';
import { startBudget } from './budget.ts';
import type { PasteAnswer, PasteRequest } from './paste.worker.ts';
import workerUrl from './paste.worker.ts?worker&url';
import type { Pasted } from './pasted.ts';
import { startWorker } from './start.ts';
import { keepWhole } from './whole.ts';

/** Characters from which a text is kept beside the field: showing it there would hold up the page. */
const HEAVY = 200_000;
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
    // It comes while the worker counts.
    const view = import('./weighed.ts').catch((error: Error) => error);
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
    const shows = await view;
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
    if (shows instanceof Error) {
      status.textContent = `What came of it can’t be shown: ${shows.message}.`;
      return;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    status.textContent =
      answer.kind === 'weighed'
        ? `Weighed here in ${seconds} s; nothing left this page.`
        : answer.kind === 'config'
          ? 'A client’s configuration: a page can’t start its servers.'
          : 'It can’t be weighed.';
    result.append(...shows.shown(answer));
    keepWhole(result);
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
    keep(text, `${number(text.length)} characters pasted; too many to show here.`);
  });
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (chosen) keep(chosen, `${chosen.name}, ${counted(chosen.size, 'byte')}`);
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
    if (dropped) keep(dropped, `${dropped.name}, ${counted(dropped.size, 'byte')}`);
    else if (text !== '') keep(text, `${number(text.length)} characters dropped`);
  });
}

const form = document.querySelector<HTMLFormElement>('#scale');
if (form !== null) start(form);
