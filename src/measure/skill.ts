/**
 * What an agent skill costs: its name and description, which a client keeps in context, against the
 * body, which is read when the skill is used. Pure; reads no folder.
 */
import { parse, YAMLParseError } from 'yaml';
import type { Tokenizer } from './tokens.ts';

/** How skills are counted: the text `name: description`, and the body as it stands. */
export function skillMethod({ name }: Tokenizer): string {
  return `tokens/${name}/skill@1`;
}

export interface SkillWeight {
  name: string;
  /** Tokens of `name: description`. */
  resident: number;
  /** Tokens of what follows the front matter. */
  body: number;
  warnings: { code: string; message: string }[];
}

/** Why a SKILL.md cannot be weighed. Codes: `skill.no-front-matter`, `skill.bad-front-matter`, `skill.no-description`. */
export interface SkillFault {
  code: string;
  message: string;
  mend: string;
}

/** `text`: a SKILL.md; `folder`: the name of the folder it stands in. */
export function weighSkill(
  text: string,
  { folder, tokenizer }: { folder: string; tokenizer: Tokenizer },
): SkillWeight | SkillFault {
  const parts = /^\ufeff?---[ \t]*\r?\n(?:(.*?)\r?\n)??---[ \t]*(?:\r?\n|$)(.*)$/s.exec(text);
  if (parts === null) {
    return {
      code: 'skill.no-front-matter',
      message: 'has no front matter, so no client lists it',
      mend: 'Begin it with a line of ---, name: and description:, and a line of --- again.',
    };
  }
  const [, front = '', body = ''] = parts;
  let fields: unknown;
  try {
    fields = parse(front);
  } catch (error) {
    const why = error instanceof YAMLParseError ? error.message.split('\n')[0] : 'unreadable';
    return {
      code: 'skill.bad-front-matter',
      message: `its front matter is not YAML: ${why}`,
      mend: 'A text with a colon or a # in it must stand in quotes.',
    };
  }
  const { name: own, description } = Object(fields) as { name?: unknown; description?: unknown };
  if (typeof description !== 'string' || description.trim() === '') {
    return {
      code: 'skill.no-description',
      message: 'has no description, which is all that a client chooses it by',
      mend: 'Say in its front matter what it does and when to use it.',
    };
  }
  const name = typeof own === 'string' && own !== '' ? own : folder;
  const warnings: SkillWeight['warnings'] = [];
  if (own === undefined) {
    warnings.push({
      code: 'skill.no-name',
      message: `no name: it goes by its folder's, ${folder}`,
    });
  } else if (own !== folder) {
    warnings.push({
      code: 'skill.other-name',
      message: `it is called ${name} and stands in a folder called ${folder}`,
    });
  }
  return {
    name,
    resident: tokenizer.count(`${name}: ${description.trim()}`),
    body: tokenizer.count(body),
    warnings,
  };
}
