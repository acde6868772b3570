/**
 * A stand-in for Cloudflare's AI Gateway logs endpoint: rows in the shape of the public SDK, with what
 * the reference and the seed say of the live one. No row here came from Cloudflare.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ACCOUNT = '0123456789abcdef0123456789abcdef';
export const GATEWAY = 'billing-team-gateway';
export const TOKEN = 'stand-in-token-of-forty-characters-000000';

/** The row `number`, of `2026-07-26T00:00:<number>`. */
export function row(number: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `01STANDIN${String(number).padStart(17, '0')}`,
    cached: false,
    created_at: new Date(Date.UTC(2026, 6, 26) + number * 1000).toISOString(),
    duration: 812,
    model: '@cf/moonshotai/kimi-k2.7-code',
    path: 'chat/completions',
    provider: 'workers-ai',
    success: true,
    tokens_in: 14_000 + number,
    tokens_out: 170,
    cost: 0.00456265,
    metadata: JSON.stringify({ via: 'claude-code', user: 'someone@example.com', tools: 9 }),
    usage_metadata: { input_cached_tokens: 12_480 },
    step: 0,
    event_id: 'unknown to the SDK',
    ...more,
  };
}

export interface StandIn {
  env: Record<string, string>;
  /** Paths and queries that were asked, in order. */
  asked: URL[];
  close(): void;
}

/** What a request gets instead of rows; null for rows. */
export type Instead = (asked: number) => {
  status: number;
  body: string;
  headers?: Record<string, string>;
} | null;

/** `rows` gives those that are visible at the request of that number, in any order. */
export async function standInCloudflare(
  rows: (asked: number) => readonly Record<string, unknown>[],
  instead: Instead = () => null,
): Promise<StandIn> {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    asked.push(url);
    const send = (status: number, body: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    };
    const errors = (status: number, code: number, message: string) =>
      send(
        status,
        JSON.stringify({ success: false, result: null, messages: [], errors: [{ code, message }] }),
      );
    const other = instead(asked.length);
    if (other !== null) return send(other.status, other.body, other.headers);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return errors(401, 10_000, `Authentication error for account ${ACCOUNT}`);
    }
    if (url.pathname !== `/client/v4/accounts/${ACCOUNT}/ai-gateway/gateways/${GATEWAY}/logs`) {
      return errors(404, 7002, 'gateway not found');
    }
    const perPage = Number(url.searchParams.get('per_page') ?? 20);
    if (perPage > 50) return errors(400, 7001, 'per_page must be at most 50');
    const page = Number(url.searchParams.get('page') ?? 1);
    const newest = [...rows(asked.length)].sort((a, b) =>
      String(b['created_at']).localeCompare(String(a['created_at'])),
    );
    const result = newest.slice((page - 1) * perPage, page * perPage);
    send(
      200,
      JSON.stringify({
        ...{ success: true, errors: [], messages: [], result },
        result_info: { page, per_page: perPage, count: result.length, total_count: newest.length },
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    env: {
      CLOUDFLARE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
      CLOUDFLARE_GATEWAY_ID: GATEWAY,
      CLOUDFLARE_API_TOKEN: TOKEN,
    },
    asked,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
