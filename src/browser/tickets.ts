/**
 * Gives each ticket over stored payloads its button "weigh again in this browser". Without it a
 * ticket lacks nothing but the button; it loads the worker, and what that needs, only when pressed.
 */
import { counted } from '../render/counted.ts';
import { startWorker } from './start.ts';
import type { WeighAnswer, WeighRequest } from './weigh.worker.ts';
import workerUrl from './weigh.worker.ts?worker&url';

let worker: Promise<Worker> | undefined;
const waiting = new Map<string, (answer: WeighAnswer) => void>();

async function ask(request: WeighRequest): Promise<WeighAnswer> {
  worker ??= startWorker(workerUrl).then((started) => {
    started.addEventListener('message', ({ data }: MessageEvent<WeighAnswer>) => {
      waiting.get(data.figure)?.(data);
      waiting.delete(data.figure);
    });
    return started;
  });
  worker.catch(() => {
    worker = undefined;
  });
  const started = await worker;
  return new Promise((resolve) => {
    waiting.set(request.figure, resolve);
    started.postMessage(request);
  });
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

for (const ticket of document.querySelectorAll<HTMLElement>('.ticket[data-weigh]')) {
  const { weigh: of = '', value = '', home = '/' } = ticket.dataset;
  const shown = ticket.querySelector('.value')?.textContent ?? '';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'weigh again in this browser';
  const result = document.createElement('div');
  result.className = 'again';
  result.setAttribute('role', 'status');
  ticket.append(button, result);
  button.addEventListener('click', async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    result.dataset['state'] = 'busy';
    result.replaceChildren(element('p', 'fetching, hashing, counting …'));
    const answer = await ask({
      home: new URL(home, document.baseURI).href,
      of,
      figure: ticket.id,
    }).catch(
      (error: Error): WeighAnswer => ({
        figure: ticket.id,
        ok: false,
        code: 'failed',
        message: error.message,
      }),
    );
    button.ariaDisabled = null;
    const equal = answer.ok && answer.rederived.value === value;
    result.dataset['state'] = equal ? 'equal' : 'differs';
    if (!answer.ok) {
      result.replaceChildren(
        element('p', `not derived: ${answer.message} [${answer.code}]`),
        element('p', `shown ${shown}`),
      );
      return;
    }
    const { text, payloads, bytes } = answer.rederived;
    result.replaceChildren(
      element('p', `weighed here ${text}, shown ${shown}: ${equal ? 'equal' : 'NOT equal'}`),
      element(
        'p',
        `${counted(payloads, 'payload')} (${counted(bytes, 'byte')}) ${payloads === 1 ? 'hashes to what its entry says' : 'hash to what their entries say'}.`,
      ),
      element(
        'p',
        'It shows that the number follows from the payload. That the payload came from the server it does not show, and this page’s own site served the code.',
      ),
    );
  });
}
