/** `npm run verify`: recomputes the ledger, a served copy, a proof or an older chain from its bytes. Reads only. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { broken, readVkey } from '../src/disk/checkpoints.ts';
import { readWhole } from '../src/disk/read.ts';
import { verifyWith } from '../src/disk/verify.ts';
import { Broken } from '../src/ledger/broken.ts';
import { parseLine } from '../src/ledger/canonical.ts';
import { type LegacyCoverage, type LegacyRecord, verifyLegacy } from '../src/ledger/legacy.ts';
import { noteText } from '../src/ledger/note.ts';
import { verifyProof } from '../src/ledger/proof.ts';
import { hex, leafHash } from '../src/ledger/tree.ts';
import { Problem, problemOf } from '../src/problem.ts';
import { printable } from '../src/render/printable.ts';
import { script, Usage } from '../src/script.ts';
import { verifySite } from '../src/verify/site.ts';

const USAGE = help('verify').trimEnd();

/** What was asked prints as JSON, or as these lines. */
function print(json: boolean, verdict: object, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(verdict, null, 2) : lines.join('\n'));
}

async function whole(ledger: string, json: boolean): Promise<number> {
  const began = performance.now();
  // Two workers and the main thread: on fewer processors one thread alone is faster.
  const verdict = await verifyWith(ledger, availableParallelism() > 2 ? 2 : 0);
  const { ok, entries, blobs, redacted, objections, root, head, checkpoints, problems, limits } =
    verdict;
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  const { newest, held, after } = checkpoints;
  print(json, verdict, [
    `entries  ${entries}\nblobs    ${blobs}`,
    ...(redacted > 0 ? [`redacted blobs: ${redacted} (each is gone, and an entry says why)`] : []),
    ...(objections.taken > 0
      ? [`posts    ${objections.taken} taken in, the words of ${objections.erased} erased`]
      : []),
    `root     ${root}\nhead     ${head}`,
    newest === null
      ? 'signed   no checkpoint holds for the ledger as it stands'
      : `signed   ${newest} entries (checkpoints that hold: ${held}); ${after} came after`,
    ...problems.map(
      ({ code, seq, message }) =>
        `${seq === null ? 'ledger' : `entry ${seq}`}: ${message} [${code}]`,
    ),
    ok ? `The ledger holds (${seconds} s).` : 'The ledger does NOT hold.',
    ...limits,
  ]);
  return ok ? 0 : 1;
}

async function site(url: string, vkeyFile: string | undefined, json: boolean): Promise<number> {
  const began = performance.now();
  const vkey = vkeyFile === undefined ? undefined : readVkey(vkeyFile);
  const { root, signed, ...verdict } = await verifySite(url, vkey?.text);
  const { ok, origin, entries, tiles, proofs, blobs, articles, claims, key, faults, limits } =
    verdict;
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  const size = signed?.size ?? null;
  print(json, { ...verdict, root: hex(root), signed: size }, [
    `log      ${printable(origin)}\nentries  ${entries}\nroot     ${hex(root)}`,
    `key      ${key === null ? 'none' : `${printable(key.text)} (${key.given ? vkeyFile : 'the site’s own'})`}`,
    `signed   ${size === null ? 'nothing' : `${size} entries`}`,
    `held     ${tiles} tiles, ${proofs} proofs, ${blobs} blobs, ${articles} articles with their claims and figures, ${claims} claims on pages of their own`,
    ...faults.map(({ code, at, message }) => printable(`${at}: ${message} [${code}]`)),
    ok ? `The site holds (${seconds} s).` : 'The site does NOT hold.',
    ...limits,
  ]);
  return ok ? 0 : 1;
}

function proof(at: string, entry: string | undefined, vkeyFile: string, json: boolean): number {
  const vkey = readVkey(vkeyFile);
  const given = entry === undefined ? null : readWhole(entry);
  const line = given?.at(-1) === 10 ? given.subarray(0, -1) : given;
  const mend =
    'Fetch the proof, the entry and the key anew, each from where you trust it; --entry names the entry.';
  const proven = broken(at, mend, () => verifyProof(noteText(readWhole(at)), [vkey], line));
  const { index, checkpoint } = proven;
  const said = parseLine(proven.line);
  const limits = [
    'It was logged; whether it still stands, only the entries after it can say.',
    `That the log shows everybody the same history rests on who holds ${vkey.name}+${vkey.id}.`,
  ];
  const verdict = {
    ok: true,
    index,
    leaf: hex(leafHash(proven.line)),
    origin: checkpoint.origin,
    size: checkpoint.size,
    root: hex(checkpoint.root),
    entry: said.ok ? said.value : null,
    limits,
  };
  // A log may hold anything; no control character of it reaches a terminal.
  const shown = said.ok ? JSON.stringify(said.value) : `(${said.message})`;
  print(json, verdict, [
    shown.replace(/[\x7f-\x9f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
    `Entry ${index} is in the log ${checkpoint.origin} as it was signed at ${checkpoint.size} entries.`,
    ...limits,
  ]);
  return 0;
}

function legacy(at: string, json: boolean): number {
  let file: unknown = null;
  try {
    file = JSON.parse(noteText(readWhole(at)));
  } catch (error) {
    if (error instanceof Problem) throw error; // it could not be read; else it is no such file either
  }
  const verdict = verifyLegacy(file);
  if (verdict === null) {
    throw new Problem('legacy.form', 'not an article file with contributions that carry a hash', {
      at,
      mend: 'Give the JSON of an article as its site serves it, with `contributions` in it.',
    });
  }
  const { records, verified, claims, sources, uncovered, limits } = verdict;
  const covered = (what: string, { shown, known, absent, gone }: LegacyCoverage): string[] => {
    const other = known.filter(({ differs }) => differs.length > 0);
    return [
      `${what}: the page shows ${shown}; of these the chain holds ${known.length - other.length} as shown, ${other.length} with other content, ${absent.length} not at all; ${gone.length} of the chain's are not shown`,
      ...other.map(({ id, differs }) => `  ${id}: other ${differs.join(', ')}`),
    ];
  };
  print(json, verdict, [
    `records: ${verified} of ${records.length} hash and link`,
    ...records
      .filter(({ hashes, links }) => !hashes || !links)
      .map(({ chain, at: n, hashes, links }) => {
        const faults = [...(hashes ? [] : ['does not hash']), ...(links ? [] : ['does not link'])];
        return `  ${chain}[${n}] ${faults.join(' and ')}`;
      }),
    ...(['contributions', 'provenance'] as const).map((chain) => {
      const rows = records.filter((record) => record.chain === chain);
      const fields = (of: (row: LegacyRecord) => string[]): string =>
        [...new Set(rows.flatMap(of))].join(', ') || 'none';
      return `${chain}: fields that no hash is over: ${fields((row) => row.uncovered)}; of which it can't be told: ${fields((row) => row.undecided)}`;
    }),
    ...covered('claims', claims),
    ...covered('sources', sources),
    `fields of the file that no record covers: ${uncovered.join(', ') || 'none'}`,
    ...limits,
  ]);
  return verified === records.length ? 0 : 1;
}

/** What the command line asks for. Throws Usage for what it can't mean. */
function asked() {
  const { values } = parseArgs({ options: COMMANDS.verify.options });
  const { proof: file, entry, vkey, legacy: chain, site: url } = values;
  if ([file, chain, url].filter((one) => one !== undefined).length > 1) {
    throw new Usage('--proof, --legacy and --site are asked one at a time');
  }
  if (entry !== undefined && file === undefined) throw new Usage('--entry goes with --proof');
  if (vkey !== undefined && (file ?? url) === undefined) {
    throw new Usage('--vkey goes with --proof or --site');
  }
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Usage(`--site takes an http or https address, not ${printable(url)}`);
  }
  return values;
}

async function main(): Promise<number> {
  const values = asked();
  const { json = false, ledger = 'ledger' } = values;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  try {
    if (values.legacy !== undefined) return legacy(values.legacy, json);
    if (values.site !== undefined) return await site(values.site, values.vkey, json);
    if (values.proof === undefined) return await whole(ledger, json);
    return proof(values.proof, values.entry, values.vkey ?? join(ledger, 'vkey'), json);
  } catch (error) {
    const problem = stoppedBy(error);
    if (json) print(json, unverified(problem ?? new Problem('internal', String(error))), []);
    console.error(problem?.toString() ?? error);
    return 1;
  }
}

/** What stopped the verifier, if it is not a fault of its own; null then. */
const stoppedBy = (error: unknown): Problem | null =>
  error instanceof Broken ? new Problem(error.code, error.message) : problemOf(error);

/** What could not be verified at all, in the form of a verdict on a ledger. */
function unverified({ code, at, message }: Problem): object {
  const problems = [{ code, seq: null, message: at === undefined ? message : `${at}: ${message}` }];
  return { ok: false, entries: 0, root: null, head: null, blobs: 0, problems };
}

await script('verify', main);
