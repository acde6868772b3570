/** Serves the ledger as C2SP tlog-tiles has it, and its entries and payloads byte for byte. */
import type { APIRoute } from 'astro';
import { readLog } from '../_log.ts';

export const getStaticPaths = () => readLog().published.paths.map((path) => ({ params: { path } }));
export const GET: APIRoute = async ({ params }) => {
  const bytes = await readLog().published.get(params['path'] ?? '');
  return bytes === null
    ? new Response(null, { status: 404 })
    : new Response(Uint8Array.from(bytes));
};
