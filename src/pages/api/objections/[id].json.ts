/** One post that was taken in, with its answer. */
import type { APIRoute } from 'astro';
import { type ObjectionRecord, renderObjection } from '../../../render/objections.ts';
import { site } from '../../../site.ts';
import { readLog } from '../../_log.ts';

export const getStaticPaths = () =>
  readLog().objections.map((one) => ({ params: { id: one.id }, props: { one } }));
export const GET: APIRoute<{ one: ObjectionRecord }> = ({ props }) =>
  new Response(renderObjection(props.one, site));
