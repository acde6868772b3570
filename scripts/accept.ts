/** `npm run accept`: shows what was posted, and takes it in or declines it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Sources } from '../src/articles/parse.ts';
import { readYaml } from '../src/articles/yaml.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { writeAtomic } from '../src/disk/atomic.ts';
import { openLedger } from '../src/disk/ledger.ts';
import { recordPost, tell, waiting } from '../src/intake/decide.ts';
import { standingQueue } from '../src/intake/folder.ts';
import { queueDir } from '../src/intake/mount.ts';
import { type Proposal, proposalOf } from '../src/intake/proposal.ts';
import type { Kept, Outcome } from '../src/intake/queue.ts';
import { remoteQueue } from '../src/intake/remote.ts';
import { shown } from '../src/intake/shown.ts';
import type { Stamp } from '../src/ledger/batch.ts';
import { postKey } from '../src/ledger/fold.ts';
import { Problem, problemOf } from '../src/problem.ts';
import { printable } from '../src/render/printable.ts';
import { said, script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('accept').trimEnd();
const root = process.cwd();

function asked() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: COMMANDS.accept.options,
  });
  if (values.help) return null;
  const reason = said('reason', values.reason) || null;
  if (values.decline && reason === null) throw new Usage('--decline wants a --reason');
  if (!values.decline && reason !== null) throw new Usage('--reason is for --decline');
  const { all = false, keyed = false } = values;
  const chooses = all || keyed || positionals.length > 0;
  if (values.decline && !chooses) throw new Usage('--decline wants the ID of a post, or several');
  const odd = positionals.find((id) => !/^[0-9a-f]{4,32}$/.test(id));
  if (odd !== undefined) throw new Usage(`${printable(odd)} is no id, nor an end of one`);
  if (values.site !== undefined && !process.env['TERMINAL_KEY']) {
    throw new Usage('--site wants the site’s key in TERMINAL_KEY');
  }
  return { ...values, all, keyed, chooses, reason, ids: positionals };
}

/** Is it named by its whole id, or by one of the ends? Those of one day begin alike. */
const isOf = (kept: Kept, id: string): boolean => kept.id.startsWith(id) || kept.id.endsWith(id);

const read = (article: string) => (name: string) => {
  const path = join(root, 'content/articles', article, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
};

function proposal(kept: Kept): Proposal {
  const yaml = readYaml('sources.yaml', read(kept.article)('sources.yaml') ?? '', Sources);
  const types = new Map((yaml.value ?? []).map(({ id, type }) => [id, type]));
  return proposalOf(kept, read(kept.article), types);
}

/** What is in the new text and not in the old, line by line. */
function added(before: string, after: string): string[] {
  const left = before.split('\n');
  return after.split('\n').filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function show(kept: Kept): string {
  const { id, kind, article, claim, received_at, body, keyed } = kept;
  const post = JSON.parse(body ?? '{}') as Record<string, unknown>;
  const lines = [
    `${id}  ${kind} about ${article}${claim === null ? '' : `, claim ${claim}`}${keyed ? ', with the owner’s key' : ''}, ${received_at}`,
  ];
  if (kind === 'objection' || kind === 'update') {
    for (const name of ['actor', 'surface', 'objection', 'raw_text', 'minimum_patch']) {
      const value = post[name];
      if (typeof value !== 'string') continue;
      lines.push(`  ${name}: ${shown(value).replaceAll('\n', '\n    ')}`);
    }
    lines.push(`  would add to ledger/: objection.receive, and objections/${id}.json`);
    return lines.join('\n');
  }
  try {
    for (const { path, before, after } of proposal(kept).edits) {
      lines.push(`  would add to ${path}:`);
      lines.push(...added(before, after).map((line) => `  + ${printable(line)}`));
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    lines.push(`  can’t be taken in: ${error.toString()}`);
  }
  return lines.join('\n');
}

/** Takes a post in, or declines it where there is a reason, and gives what the queue is to be told. */
async function decide(kept: Kept, stamp: Stamp, reason: string | null): Promise<Outcome> {
  const edit = reason === null && (kept.kind === 'claim' || kept.kind === 'sources');
  return edit ? takeEdit(kept) : recordPost(join(root, 'ledger'), stamp, kept, reason);
}

/** Writes the edit and records it; puts the files back where that fails. */
function takeEdit(kept: Kept): Outcome {
  const { edits, ids } = proposal(kept);
  for (const { path, after } of edits) writeAtomic(join(root, path), after);
  const script = fileURLToPath(new URL('./record.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    for (const { path, before } of edits) writeAtomic(join(root, path), before);
    throw new Problem('accept.edit', `post ${kept.id} can’t be recorded as it is`, {
      mend: 'The files are as they were. Mend what is named above by an edit of your own, then decline the post with a reason.',
    });
  }
  const { fold } = openLedger(join(root, 'ledger'));
  const standing = kept.kind === 'claim' ? fold.claims : fold.sources;
  const seq = standing.get(postKey(kept.article, ids[0]!))?.current.seq ?? null;
  return { status: 'accepted', seq, reason: null };
}

async function main(): Promise<number> {
  const wish = asked();
  if (wish === null) {
    console.log(USAGE);
    return 0;
  }
  const { ids, all, keyed, chooses, reason, site } = wish;
  const local = site === undefined ? standingQueue(wish.queue ?? queueDir(root)) : null;
  const queue = local ?? remoteQueue(site ?? '', process.env['TERMINAL_KEY'] ?? '');
  try {
    const posts = await waiting(queue);
    const chosen = posts.filter(
      (kept) => all || (keyed && kept.keyed) || ids.some((id) => isOf(kept, id)),
    );
    const unknown = ids.find((id) => posts.filter((kept) => isOf(kept, id)).length !== 1);
    if (unknown !== undefined) {
      throw new Problem('accept.unknown', `${unknown} names no post that waits, or several`, {
        mend: 'See which there are with `npm run accept`.',
      });
    }
    if (!chooses) {
      console.log(posts.map(show).join('\n\n') || 'Nothing waits.');
      return 0;
    }
    // Of a name that can't be recorded one should hear before anything is written.
    const stamp = stampNow();
    const failed: [id: string, problem: Problem][] = [];
    for (const kept of chosen) {
      const outcome = await decide(kept, stamp, reason).catch((error: unknown) => {
        const problem = problemOf(error);
        if (problem === null) throw error;
        failed.push([kept.id, problem]);
        return null;
      });
      if (outcome === null) continue;
      const { status, seq } = outcome;
      const done = `${kept.id} ${status}${seq === null ? '' : `: entry #${seq}`}`;
      // Last: whatever stops before this is done again without a second entry.
      await tell(done, () => queue.acknowledge(kept.id, outcome));
      console.log(done);
    }
    if (chosen.length === 0) console.log('Nothing of that kind waits.');
    if (failed.length === 0) return 0;
    console.error(`${failed.length} of ${chosen.length} could not be taken, and wait still:`);
    for (const [id, problem] of failed) console.error(`${id}  ${problem.toString()}`);
    return 1;
  } finally {
    await local?.close();
  }
}

await script('accept', main);
