/**
 * One article's folder, read: front matter, body, claims, sources, skill, each checked by itself.
 * Pure; what needs the ledger or another file's contents is for resolve.ts.
 */
import { z } from 'zod';
import type { ContentArticle } from '../disk/content.ts';
import { Decimal, Status, Tier } from '../ledger/entry.ts';
import { QUOTE_STATUSES, RETRACT_REASONS, SOURCE_TYPES } from '../ledger/terms.ts';
import { Problem } from '../problem.ts';
import { type Body, frontMatter, parseBody } from './mdx.ts';
import type { Prose } from './prose.ts';
import { Symptom, type SymptomContent } from './symptom.ts';
import { readYaml, textProblems, type Yaml } from './yaml.ts';

const Id = z.string().regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, 'an id of a-z, 0-9, -, _ and .');
const Line = z.string().trim().min(1);

const FrontMatter = z.strictObject({
  title: Line,
  summary: Line,
  tags: z.array(Id).default([]),
  series: z.strictObject({ name: Line, position: z.int().positive() }).optional(),
  status: z.enum(['published', 'draft']),
  stats: z.array(z.strictObject({ figure: z.string(), label: Line })).default([]),
  notes: z.array(Line).default([]),
  constants: z
    .array(
      z.strictObject({
        value: z.union([z.number(), z.string().min(1)]),
        reason: z.string().min(10),
      }),
    )
    .default([]),
});
export type FrontMatter = z.infer<typeof FrontMatter>;

const Claim = z.strictObject({
  id: Id,
  text: Line,
  tier: Tier,
  status: z.array(Status).min(1),
  sources: z.array(z.string()).default([]),
  section: z.string(),
  claimed_by: Line,
  why: Line,
  rationale: Line,
  /** Why it no longer says what entry `from` said; asked for where its tier or status changes. */
  changed: z.strictObject({ from: z.number().int().nonnegative(), why: Line }).optional(),
  retracted: z.strictObject({ reason: z.enum(RETRACT_REASONS), note: Line }).optional(),
});
export type ClaimContent = z.infer<typeof Claim>;

const Source = z.strictObject({
  id: Id,
  type: z.enum(SOURCE_TYPES),
  url: z.url({ protocol: /^https?$/ }),
  title: Line,
  author: z.string().nullable().default(null),
  published: z.iso.date('a day as YYYY-MM-DD').nullable().default(null),
  quote: z.string().nullable().default(null),
  quote_status: z.enum(QUOTE_STATUSES),
  /** Written by `npm run sources`; absent until it has read the page. */
  checked: z.iso.date('a day as YYYY-MM-DD').exactOptional(),
  summary: Line,
  figures: z
    .array(
      z.strictObject({ name: Id, characters: z.string().min(1), value: Decimal, unit: z.string() }),
    )
    .default([]),
});
export type SourceContent = z.infer<typeof Source>;

/** What sources.yaml holds; null when it is empty. */
export const Sources = unique(Source).nullable();

const Skill = z.strictObject({ description: Line });

/** Places of things by file; each gives `file:line:column`. */
export interface Places {
  front: Yaml<unknown>['at'];
  claims: Yaml<unknown>['at'];
  sources: Yaml<unknown>['at'];
  symptoms: Yaml<unknown>['at'];
}
/** A body without its tree, which is large and is not asked for again. */
type Read = Omit<Body, 'tree'>;

export interface ParsedArticle {
  slug: string;
  /** `content/articles/<slug>`. */
  folder: string;
  files: ContentArticle['files'];
  front: FrontMatter;
  /** Body of index.mdx as text, and read. */
  mdx: string;
  body: Read;
  claims: ClaimContent[];
  sources: SourceContent[];
  symptoms: SymptomContent[];
  skill: { description: string; markdown: string; body: Read };
  /** All that the number lint reads, except the tables that figures.ts makes. */
  prose: Prose[];
  at: Places;
}

const REQUIRED = ['index.mdx', 'skill.md'];
const KNOWN = [...REQUIRED, 'figures.ts', 'claims.yaml', 'sources.yaml', 'symptoms.yaml'];

/** May an article's folder be called so? */
export const isSlug = (name: string): boolean =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64;

/** Reads one folder. `article` is null where a file is missing or can't be read at all. */
export function parseArticle(content: ContentArticle): {
  article: ParsedArticle | null;
  problems: Problem[];
} {
  const { slug, files } = content;
  const folder = `content/articles/${slug}`;
  const problems: Problem[] = [];
  const report = (code: string, message: string, at: string, mend: string) =>
    problems.push(new Problem(code, message, { at, mend }));

  if (!isSlug(slug)) {
    report(
      'article.slug',
      `${JSON.stringify(slug)} can't be a slug`,
      folder,
      'Name the folder with a-z, 0-9 and single hyphens, at most 64 characters.',
    );
  }
  for (const name of Object.keys(files).filter((name) => !KNOWN.includes(name))) {
    report(
      'article.file',
      'no part of an article has this name',
      `${folder}/${name}`,
      `The files of an article are ${KNOWN.join(', ')}.`,
    );
  }
  for (const name of REQUIRED.filter((name) => files[name] === undefined)) {
    report('article.file', 'the file is missing', `${folder}/${name}`, 'Write it.');
  }
  const text = (name: string): string => files[name]?.text ?? '';
  const unclean = KNOWN.flatMap((name) => textProblems(`${folder}/${name}`, text(name)));
  // Places and hashes of such text can't be relied on: nothing more is said of it.
  if (unclean.length > 0) return { article: null, problems: [...problems, ...unclean] };

  const list = <T>(name: string, schema: z.ZodType<T[] | null>): Yaml<T[]> => {
    // An empty file parses to null, which is no list; a file that is only comments likewise.
    const yaml = readYaml(`${folder}/${name}`, text(name), schema);
    problems.push(...yaml.problems);
    return { ...yaml, value: yaml.value ?? (yaml.problems.length > 0 ? null : []) };
  };
  const fenced = <T>(name: string, schema: z.ZodType<T>) => {
    const file = `${folder}/${name}`;
    const source = text(name);
    const range = frontMatter(source);
    if (range === null && files[name] !== undefined) {
      report(
        'article.front-matter',
        'no front matter',
        `${file}:1:1`,
        'Begin the file with --- lines.',
      );
    }
    const yaml = range === null ? null : readYaml(file, source, schema, range);
    problems.push(...(yaml?.problems ?? []));
    const from = range?.body ?? 0;
    const kind = name.endsWith('.mdx') ? 'mdx' : 'markdown';
    const { tree: _, ...body } = parseBody(file, source, from, kind);
    problems.push(...body.problems);
    return { yaml, body, text: source.slice(from) };
  };

  const index = fenced('index.mdx', FrontMatter);
  const skill = fenced('skill.md', Skill);
  const claims = list('claims.yaml', unique(Claim).nullable());
  const sources = list('sources.yaml', Sources);
  const symptoms = list('symptoms.yaml', unique(Symptom).nullable());
  const front = index.yaml?.value ?? null;
  const description = skill.yaml?.value?.description ?? null;
  if (
    front === null ||
    description === null ||
    claims.value === null ||
    sources.value === null ||
    symptoms.value === null
  ) {
    return { article: null, problems };
  }
  const prose = [
    ...['title', 'summary'].flatMap((key) => index.yaml!.prose(key)),
    ...front.notes.flatMap((_, i) => index.yaml!.prose('notes', i)),
    ...front.stats.flatMap((_, i) => index.yaml!.prose('stats', i, 'label')),
    ...index.body.prose,
    ...claims.value.flatMap((_, i) =>
      [['text'], ['why'], ['rationale'], ['changed', 'why']].flatMap((path) =>
        claims.prose(i, ...path),
      ),
    ),
    // A source's title is its author's words and a link, so it is exempt as both; its quote is too.
    ...sources.value.flatMap((_, i) => sources.prose(i, 'summary')),
    ...symptoms.value.flatMap((_, i) => [
      ...['symptom', 'cause', 'fix'].flatMap((key) => symptoms.prose(i, key)),
      ...symptoms.prose(i, 'reproduced', 'shows'),
    ]),
    ...skill.yaml!.prose('description'),
    ...skill.body.prose,
  ];
  return {
    article: {
      slug,
      folder,
      files,
      front,
      mdx: index.text,
      body: index.body,
      claims: claims.value,
      sources: sources.value,
      symptoms: symptoms.value,
      skill: { description, markdown: skill.text, body: skill.body },
      prose,
      at: { front: index.yaml!.at, claims: claims.at, sources: sources.at, symptoms: symptoms.at },
    },
    problems,
  };
}

/** A list whose items have distinct ids. */
function unique<T extends { id: string }>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z.array(item).superRefine((items, ctx) => {
    const seen = new Set<string>();
    for (const [i, { id }] of items.entries()) {
      if (seen.has(id))
        ctx.addIssue({ code: 'custom', path: [i, 'id'], message: `a second ${id}` });
      seen.add(id);
    }
  });
}

/** Folders that differ only in case or normalisation would be one article on many disks: one Problem each. */
export function slugProblems(slugs: readonly string[]): Problem[] {
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  for (const slug of slugs) {
    const key = slug.normalize('NFKC').toLowerCase();
    const other = seen.get(key);
    if (other === undefined) seen.set(key, slug);
    else {
      problems.push(
        new Problem('article.slug-twice', `has the slug of content/articles/${other}`, {
          at: `content/articles/${slug}`,
          mend: 'Rename one of the two folders.',
        }),
      );
    }
  }
  return problems;
}
