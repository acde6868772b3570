import type { APIRoute } from 'astro';
import { DIRECTORY, renderDirectorySkill } from '../../../../render/directory.ts';
import { site } from '../../../../site.ts';

export const getStaticPaths = () => DIRECTORY.map((id) => ({ params: { id }, props: { id } }));
export const GET: APIRoute = ({ props }) => new Response(renderDirectorySkill(props['id'], site));
