/** `npm start`: verifies the ledger, weighs one server again, builds the site and serves it here. */
import { parseArgs } from 'node:util';
import { buildSite, DIST, publishedIn } from '../src/build.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { readContent } from '../src/disk/content.ts';
import { requireLedger } from '../src/disk/ledger.ts';
import { mountIntake, queueDir } from '../src/intake/mount.ts';
import { weighBundled } from '../src/probe/bundled.ts';
import { Problem, problemOf } from '../src/problem.ts';
import { printable } from '../src/render/printable.ts';
import { portNumber, script } from '../src/script.ts';
import { serve } from '../src/serve.ts';
import { site } from '../src/site.ts';

const USAGE = help('start');

/** The port that was asked for; null for help. Throws Usage. */
function readArguments(): number | null {
  const { values } = parseArgs({
    options: COMMANDS.start.options,
  });
  if (values.help) return null;
  return portNumber(values.port ?? (process.env['PORT'] || '4321'));
}

/** One line a step: what came of it, and how long it took. */
async function step<T>(
  act: () => T | Promise<T>,
  say: (result: T) => string | Problem,
): Promise<T> {
  const began = performance.now();
  const result = await act();
  const said = say(result);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (said instanceof Problem) cross(said);
  else process.stdout.write(`✓ ${said} (${seconds} s)\n`);
  return result;
}

const cross = (problem: Problem) =>
  process.stdout.write(`✗ ${problem.toString().split('\n').map(printable).join('\n')}\n`);

async function main(): Promise<void> {
  const port = readArguments();
  if (port === null) {
    process.stdout.write(USAGE);
    return;
  }
  const root = process.cwd();
  const stop = new AbortController();
  // The port comes first: nobody should wait for a build to hear that it can't be served.
  const serving = await serve(port, site.base, {
    log: process.env['WEIGHBRIDGE_LOG'] ? (line) => process.stderr.write(line) : null,
  });
  let weighing: Promise<unknown> = Promise.resolve();
  let open = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      stop.abort();
      await Promise.allSettled([weighing, serving.close()]);
      process.exit(open ? 0 : 130);
    });
  }
  try {
    const { fold } = await step(
      () => requireLedger(`${root}/ledger`),
      ({ entries, blobs, root: tree }) =>
        `ledger verified: ${entries} entries, ${blobs} payloads, root ${tree.slice(0, 16)}…`,
    );
    weighing = step(
      () => {
        const content = readContent(root);
        const run = new Date().toISOString();
        return weighBundled(root, content, fold, { run, signal: stop.signal });
      },
      ({ package: name, tools, tokens, sha256, receipt }) => {
        const found = `${tools} tools, ${tokens} tokens`;
        if (receipt === null) {
          return `${name} weighed: ${found}; \`npm run refresh\` will record it, as nothing is yet`;
        }
        const what = `${name} weighed again: ${found}`;
        if (receipt.sha256 === sha256)
          return `${what}, byte for byte what receipt #${receipt.seq} says`;
        return new Problem(
          'bundled.differs',
          `${what}, but its payload is ${sha256.slice(0, 16)}…, not ${receipt.sha256.slice(0, 16)}… of receipt #${receipt.seq}`,
          { mend: 'Record what it says now with `npm run refresh -- --only memory`.' },
        );
      },
    ).catch((error: unknown) => {
      // A server that can't be started here takes nothing away from what was recorded.
      if (!(error instanceof Problem)) throw error;
      if (!stop.signal.aborted) cross(error);
    });
    await weighing;
    if (stop.signal.aborted) return;
    await step(
      () => buildSite(root),
      (built) => `site built: ${publishedIn(built)}`,
    );
    serving.open(`${root}/${DIST}`, (files) =>
      mountIntake({
        dir: queueDir(root),
        site,
        port: serving.port,
        document: (path) => files.document(path),
      }),
    );
    open = true;
    process.stdout.write(
      `✓ serving http://localhost:${serving.port}${site.base}/ (Ctrl-C stops it)\n`,
    );
  } catch (error) {
    await serving.close();
    throw error;
  }
}

await script('start', async () => {
  try {
    await main();
    return;
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    cross(problem);
    return 1;
  }
});
