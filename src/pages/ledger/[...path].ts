/** Serves the ledger's entries and payloads byte for byte, so that a ticket can link to both. */
import { globSync, readFileSync } from 'node:fs';
import type { APIRoute } from 'astro';

export const getStaticPaths = () =>
  globSync(['entries/*.jsonl', 'blobs/sha256/*/*'], { cwd: 'ledger' })
    .sort()
    .map((path) => ({ params: { path } }));
export const GET: APIRoute = ({ params }) =>
  new Response(Uint8Array.from(readFileSync(`ledger/${params['path']}`)));
