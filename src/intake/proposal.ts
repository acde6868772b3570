/**
 * What taking a claim or sources in would change of content/: new texts of whole files, and the ids
 * that it puts there. Pure; it adds and never alters what stands, and what is there already it leaves.
 */
import type { Nodes } from 'mdast';
import { stringify } from 'yaml';
import { frontMatter, parseBody } from '../articles/mdx.ts';
import type { SourceContent } from '../articles/parse.ts';
import type { Status } from '../ledger/entry.ts';
import { Problem } from '../problem.ts';
import type { Kept } from './queue.ts';

export interface Edit {
  /** From the project's root. */
  path: string;
  /** What stands there now; empty where there is no such file. */
  before: string;
  after: string;
}
export interface Proposal {
  edits: Edit[];
  /** Ids of the claim or of the sources, as content will have them. */
  ids: string[];
}

/** What a claim may call itself that rests on a source of this type. */
const STATUS: Record<SourceContent['type'], Status> = {
  publisher_documentation: 'specified',
  specification: 'specified',
  repository: 'implemented',
  independent_measurement: 'externally_attested',
  github: 'externally_attested',
  hn: 'externally_attested',
  runtime_receipt: 'deployed',
};

interface ClaimPost {
  text: string;
  tier: string;
  source_ids: string[];
  who_claims: string;
  rationale: string;
  section: string | null;
  why: string | null;
}
interface SourcesPost {
  sources: {
    type: SourceContent['type'];
    url: string;
    title: string;
    quote: string | null;
    summary: string;
    author: string | null;
    published: string | null;
  }[];
}

/** The id in content of what a post brings: told from the random end of the post's, so that it can't come twice. */
const idOf = ({ id }: Kept, at = 0): string =>
  `post-${id.slice(-12)}${at === 0 ? '' : `-${at + 1}`}`;

/**
 * `read` gives a file of the article's folder, null where there is none; `sources` the types of its
 * sources by id. Throws Problem `proposal.section` or `proposal.erased`.
 */
export function proposalOf(
  kept: Kept,
  read: (name: string) => string | null,
  sources: ReadonlyMap<string, SourceContent['type']>,
): Proposal {
  if (kept.body === null)
    throw new Problem('proposal.erased', `the words of ${kept.id} are erased`);
  const folder = `content/articles/${kept.article}`;
  const post = JSON.parse(kept.body) as unknown;
  const appended = (name: string, items: readonly { id: string }[]): Edit => {
    const before = read(name) ?? '';
    const fresh = items.filter(({ id }) => !before.includes(`id: ${id}\n`));
    const text = fresh.length === 0 ? '' : stringify(fresh, { lineWidth: 0 });
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    return { path: `${folder}/${name}`, before, after: before + gap + text };
  };
  if (kept.kind === 'sources') {
    const items = (post as SourcesPost).sources.map(
      ({ type, url, title, quote, summary, author, published }, at) => ({
        ...{ id: idOf(kept, at), type, url, title },
        ...(author === null ? {} : { author }),
        ...(published === null ? {} : { published }),
        ...(quote === null ? {} : { quote }),
        ...{ quote_status: 'unverified', summary },
      }),
    );
    return { edits: [appended('sources.yaml', items)], ids: items.map(({ id }) => id) };
  }
  const { text, tier, source_ids, who_claims, rationale, section, why } = post as ClaimPost;
  const id = idOf(kept);
  const before = read('index.mdx') ?? '';
  const placed = place(`${folder}/index.mdx`, before, section, id);
  const types = source_ids.flatMap((source) => sources.get(source) ?? []);
  const item = {
    ...{ id, text, tier },
    status: [...new Set(types.map((type) => STATUS[type]))],
    sources: source_ids,
    section: placed.section,
    claimed_by: who_claims,
    why: why ?? rationale,
    rationale,
  };
  return {
    edits: [
      appended('claims.yaml', [item]),
      { path: `${folder}/index.mdx`, before, after: placed.text },
    ],
    ids: [id],
  };
}

/** The body with the claim at the end of a section: of the one that is named, or of the last. */
function place(file: string, source: string, wanted: string | null, id: string) {
  const { sections, tree } = parseBody(file, source, frontMatter(source)?.body ?? 0);
  const at = wanted === null ? sections.length - 1 : sections.findIndex((one) => one.id === wanted);
  const section = sections[at]?.id;
  if (section === undefined) {
    throw new Problem('proposal.section', `there is no section ${wanted ?? 'at all'}`, {
      at: file,
      mend: `Decline it, or post it again for one of ${sections.map((one) => one.id).join(', ')}.`,
    });
  }
  const use = `<Claim id="${id}"/>`;
  if (source.includes(use)) return { section, text: source };
  const headings = ('children' in tree ? (tree.children as Nodes[]) : []).filter(
    ({ type }) => type === 'heading',
  );
  const end = headings[at + 1]?.position?.start.offset ?? source.length;
  const [head, tail] = [source.slice(0, end).trimEnd(), source.slice(end)];
  return { section, text: `${head}\n\n${use}\n${tail === '' ? '' : `\n${tail}`}` };
}
