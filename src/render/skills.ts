/**
 * The list of skills by which agents find them (agentskills.io, discovery 0.2.0): each with the digest
 * of its bytes. Pure. A skill is a task, so articles' procedures and commands are here, addresses not.
 */
import type { ArticleRecord } from '../articles/record.ts';
import { VERBS, type Verb } from '../commands.ts';
import type { SiteAddress } from '../site.ts';
import { entryOf, renderDirectorySkill } from './directory.ts';
import { print } from './published.ts';
import { renderSkill } from './skill.ts';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** A skill by its name, which is that of its folder. */
export interface NamedSkill {
  name: string;
  description: string;
  text: string;
}

/** The published articles' skills, then the commands'. Commands are named after the program: `weigh` alone says little. */
export function skillsOf(articles: readonly ArticleRecord[], site: SiteAddress): NamedSkill[] {
  return [
    ...articles.map((article) => ({
      name: article.slug,
      description: article.skill.description,
      text: renderSkill(article, site),
    })),
    ...VERBS.map((verb) => commandSkill(verb, site)),
  ];
}

function commandSkill(verb: Verb, site: SiteAddress): NamedSkill {
  const name = `weighbridge-${verb}`;
  const text = renderDirectorySkill(verb, site).replace(`name: ${verb}\n`, `name: ${name}\n`);
  const described = /^description: (".*")$/m.exec(text)?.[1];
  const { summary } = entryOf(verb, site);
  return { name, description: described ? (JSON.parse(described) as string) : summary, text };
}

/** `sha256`: of a text's bytes, in hex. */
export function renderSkillsIndex(
  skills: readonly NamedSkill[],
  site: SiteAddress,
  sha256: (text: string) => string,
): string {
  return print({
    $schema: SCHEMA,
    skills: skills.map(({ name, description, text }) => ({
      name,
      type: 'skill-md',
      description,
      url: site.url(skillPath(name)),
      digest: `sha256:${sha256(text)}`,
    })),
  });
}

const skillPath = (name: string): string => `/.well-known/agent-skills/${name}/SKILL.md`;
