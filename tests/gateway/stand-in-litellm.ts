/**
 * A stand-in for a LiteLLM proxy's spend log: rows and envelopes in the shape of its published code,
 * newer and older endpoint. No row here came from a proxy.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StandIn } from './stand-in-cloudflare.ts';

export const KEY = 'sk-stand-in-0123456789abcdef';

export function spend(number: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    request_id: `chatcmpl-stand-in-${number}`,
    api_key: '88dc28d0f030c55ed4ab77ed8faf098196cb1c05df778539800c9f1243fe6b4b',
    model: 'anthropic/claude-opus-5-5',
    call_type: 'anthropic_messages',
    spend: 0.0135,
    total_tokens: 20_317,
    prompt_tokens: 20_312,
    completion_tokens: 5,
    startTime: new Date(Date.UTC(2026, 6, 26) + number * 1000).toISOString(),
    endTime: new Date(Date.UTC(2026, 6, 26) + number * 1000 + 900).toISOString(),
    user: 'default_user_id',
    cache_hit: 'None',
    status: 'success',
    messages: { prompt: 'a prompt that must not be kept' },
    metadata: {
      user_api_key_alias: 'team-alias-that-tells',
      usage_object: {
        prompt_tokens: 20_312,
        cache_read_input_tokens: 20_000,
        cache_creation_input_tokens: 300,
      },
    },
    ...more,
  };
}

/** `newer` false: the proxy is too old for `/spend/logs/v2`. */
export async function standInLitellm(
  rows: readonly Record<string, unknown>[],
  { newer = true, pageSize = 100 } = {},
): Promise<StandIn> {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    asked.push(url);
    const { searchParams: query } = url;
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return send(401, {
        error: { message: `Invalid proxy server token passed: ${request.headers.authorization}` },
      });
    }
    const stamp = newer ? /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ : /^\d{4}-\d\d-\d\d$/;
    if (newer && url.pathname === '/spend/logs/v2') {
      if (!stamp.test(query.get('start_date') ?? '') || !stamp.test(query.get('end_date') ?? '')) {
        return send(400, { error: { message: 'Start date and end date are required' } });
      }
      const size = Math.min(Number(query.get('page_size') ?? 50), pageSize);
      if (Number(query.get('page_size')) > 100) return send(422, { detail: 'page_size' });
      const page = Number(query.get('page') ?? 1);
      const data = rows.slice((page - 1) * size, page * size);
      return send(200, {
        data,
        total: rows.length,
        page,
        page_size: size,
        total_pages: Math.ceil(rows.length / size),
      });
    }
    if (!newer && url.pathname === '/spend/logs') {
      const dated =
        stamp.test(query.get('start_date') ?? '') && stamp.test(query.get('end_date') ?? '');
      if (!dated) return send(400, { detail: { error: 'dates' } });
      // Else it sums up by day.
      return send(
        200,
        query.get('summarize') === 'false'
          ? rows
          : [{ startTime: '2026-07-26', spend: 1, models: {} }],
      );
    }
    return send(404, { detail: 'Not Found' });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    env: {
      LITELLM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      LITELLM_API_KEY: KEY,
    },
    asked,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
