/**
 * Starts a worker under this page's own content security policy. A worker that is loaded by its URL
 * has none when the policy stands in the page; one from a blob inherits it, and then imports the module.
 */

/** Resolves when the worker's module has run and said `ready`; rejects when it can't be loaded. */
export async function startWorker(url: string): Promise<Worker> {
  const module = JSON.stringify(new URL(url, document.baseURI).href);
  const blob = new Blob([`import ${module};`], { type: 'text/javascript' });
  const source = URL.createObjectURL(blob);
  const worker = new Worker(source, { type: 'module' });
  try {
    await new Promise<void>((resolve, reject) => {
      worker.addEventListener('message', () => resolve(), { once: true });
      worker.addEventListener('error', () => reject(new Error('the worker could not be loaded')), {
        once: true,
      });
    });
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    URL.revokeObjectURL(source);
  }
  return worker;
}
