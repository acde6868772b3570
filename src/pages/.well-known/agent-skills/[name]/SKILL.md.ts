import type { APIRoute } from 'astro';
import { skillsOf } from '../../../../render/skills.ts';
import { site } from '../../../../site.ts';
import { readPublishedArticles } from '../../../_site.ts';

export const getStaticPaths = async () =>
  skillsOf(await readPublishedArticles(), site).map(({ name, text }) => ({
    params: { name },
    props: { text },
  }));
export const GET: APIRoute = ({ props }) => new Response(props['text']);
