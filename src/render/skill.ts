/**
 * ArticleRecord -> SKILL.md: the procedure, with the few figures and claims that it leans on. Pure.
 * A skill is a task, not a copy of the page, and is refused when it outgrows what agents load.
 */
import type { ArticleRecord } from '../articles/record.ts';
import { o200k } from '../measure/o200k.ts';
import { Problem } from '../problem.ts';
import type { SiteAddress } from '../site.ts';
import { claimAnchor, figureAnchor } from './anchor.ts';
import { forms } from './forms.ts';
import { SYMPTOMS, spansOf, symptomLine } from './symptoms.ts';

/** The limits of agentskills.io: characters, characters, lines and tokens that must not be reached. */
const NAME = 64;
const DESCRIPTION = 1_024;
const LINES = 500;
const TOKENS = 5_000;

/** Throws Problem `skill.name`, `skill.description`, `skill.lines` or `skill.tokens`. */
export function renderSkill(record: ArticleRecord, site: SiteAddress): string {
  const { slug, skill } = record;
  const refuse = (code: string, message: string, mend: string): never => {
    throw new Problem(`skill.${code}`, message, { at: `content/articles/${slug}/skill.md`, mend });
  };
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) || slug.length > NAME) {
    refuse('name', `${JSON.stringify(slug)} can't name a skill`, 'Rename the article’s folder.');
  }
  const { length } = [...skill.description];
  if (length > DESCRIPTION) {
    refuse(
      'description',
      `the description has ${length} characters of ${DESCRIPTION}`,
      'Say only what it does and when to use it.',
    );
  }
  const body = bodyOf(record, site);
  const lines = body.split('\n').length;
  if (lines >= LINES) {
    refuse('lines', `the body has ${lines} lines; it must have fewer than ${LINES}`, 'Shorten it.');
  }
  // A token is at least one byte, so that most skills need no count.
  if (new TextEncoder().encode(body).length >= TOKENS) {
    const tokens = o200k().count(body);
    if (tokens >= TOKENS) {
      refuse(
        'tokens',
        `the body has ${tokens} tokens; it must have fewer than ${TOKENS}`,
        'Shorten it.',
      );
    }
  }
  // JSON strings are YAML strings, whatever stands in them.
  return `---
name: ${slug}
description: ${JSON.stringify(skill.description)}
license: MIT
metadata:
  article: ${JSON.stringify(site.url(forms(slug).page))}
---

${body}`;
}

function bodyOf(record: ArticleRecord, site: SiteAddress): string {
  const { slug, skill, stats, figures, claims, symptoms } = record;
  const { page, json } = forms(slug);
  const at = (anchor: string): string => `${site.url(page)}#${anchor}`;
  const numbers = stats.flatMap(({ figure: id, label }) => {
    const figure = figures.find((other) => other.id === id);
    if (figure === undefined) return [];
    return [`- ${figure.text} ${label}: [${id}](${at(figureAnchor(id))})`];
  });
  const assertions = claims.map(
    ({ id, text }) => `- [${id}](${at(claimAnchor(id))}): ${plain(text)}`,
  );
  return [
    skill.body.trim(),
    ...(numbers.length > 0 ? [`## Key figures\n\n${numbers.join('\n')}`] : []),
    ...(symptoms.length > 0
      ? [
          `## Symptoms\n\nId (client and versions): symptom, cause, fix. Sources: ${site.url(SYMPTOMS.page)}\n\n${symptoms.map((row) => coded(symptomLine(row))).join('\n')}`,
        ]
      : []),
    ...(assertions.length > 0 ? [`## Claims\n\n${assertions.join('\n')}`] : []),
    `All figures with their methods and receipts: ${site.url(json)}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** Like plain, with code between backticks as it stands. */
const coded = (line: string): string =>
  spansOf(line)
    .map(({ text, code }) => (code ? `\`${text}\`` : plain(text)))
    .join('');

/** Text that markdown can't take for markup. */
function plain(text: string): string {
  // Between letters or digits an underscore is no markup, and a name should stand as it is typed.
  return text.replace(/[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}
