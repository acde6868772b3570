import type { APIRoute } from 'astro';
import { renderSchema, SCHEMA_NAMES, type SchemaName } from '../../render/schemas.ts';
import { site } from '../../site.ts';

export const getStaticPaths = () => SCHEMA_NAMES.map((name) => ({ params: { name } }));
export const GET: APIRoute = ({ params }) =>
  new Response(renderSchema(params['name'] as SchemaName, site));
