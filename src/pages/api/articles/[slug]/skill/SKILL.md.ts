import type { APIRoute } from 'astro';
import { renderSkill } from '../../../../../render/skill.ts';
import { site } from '../../../../../site.ts';
import { articlePaths } from '../../../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute = ({ props }) => new Response(renderSkill(props['article'], site));
