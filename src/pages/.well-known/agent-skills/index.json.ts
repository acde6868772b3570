import { hash } from 'node:crypto';
import type { APIRoute } from 'astro';
import { renderSkillsIndex, skillsOf } from '../../../render/skills.ts';
import { site } from '../../../site.ts';
import { readPublishedArticles } from '../../_site.ts';

export const GET: APIRoute = async () => {
  const skills = skillsOf(await readPublishedArticles(), site);
  return new Response(renderSkillsIndex(skills, site, (text) => hash('sha256', text)));
};
