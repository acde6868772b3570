/** Drafts that hold, to be altered by the tests that need them otherwise. */
import { canonical } from '../../src/ledger/canonical.ts';
import { commitment, type Words } from '../../src/ledger/commitment.ts';
import type {
  ArticleBody,
  ClaimBody,
  Draft,
  EraseBody,
  ReceiveBody,
  ResolveBody,
  SourceBody,
  ToolsListBody,
} from '../../src/ledger/entry.ts';

export const ORIGIN = 'test.example/ledger';
export const STAMP = { actor: 'tester', ts: '2026-01-02T03:04:05.678Z' };
export const ARTICLE = 'what-it-costs';

type Of<T extends Draft['type']> = Extract<Draft, { type: T }>;

export function capture(body: Partial<ToolsListBody> = {}): Of<'capture.add'> {
  const server = body.server ?? 'notion';
  return {
    type: 'capture.add',
    article: null,
    body: {
      kind: 'tools_list',
      outcome: 'captured',
      server,
      package: {
        name: `@example/${server}`,
        version: '2.5.2',
        integrity: `sha512-${'A'.repeat(86)}==`,
        as_of: '2026-01-02',
      },
      run: STAMP.ts,
      recipe: {
        transport: 'stdio',
        args: ['--stdio'],
        env: { TOKEN: 'weighbridge-dummy-token' },
        place: `/tmp/weighbridge/${server}`,
        node: 'v24.0.0',
        protocol_requested: '2025-11-25',
        client_capabilities: '{}',
      },
      answer: {
        protocol_negotiated: '2025-11-25',
        server_name: server,
        server_version: '2.5.2',
        pages: 1,
        tools: 24,
        same_order: true,
        same_bytes: true,
        warnings: [],
      },
      blob: { sha256: '0'.repeat(64), bytes: 0 },
      unchanged_from: null,
      failure: null,
      redactions: [],
      ...body,
    },
  };
}

export const failed = (server = 'notion'): Of<'capture.add'> =>
  capture({
    server,
    outcome: 'failed',
    answer: null,
    blob: null,
    failure: { code: 'exit', message: 'it ended with 1', stderr_tail: 'no token', elapsed_ms: 12 },
  });

export const source = (body: Partial<SourceBody> = {}): Of<'source.put'> => ({
  type: 'source.put',
  article: ARTICLE,
  body: {
    id: 's1',
    type: 'publisher_documentation',
    url: 'https://example.com/docs',
    title: 'Docs',
    author: null,
    published: null,
    quote: 'It costs 500 tokens.',
    quote_status: 'verified',
    summary: 'What it costs, by its maker.',
    figures: [{ name: 'cost', characters: '500', value: '500', unit: 'tokens' }],
    replaces: null,
    ...body,
  },
});

export const claim = (body: Partial<ClaimBody> = {}): Of<'claim.put'> => ({
  type: 'claim.put',
  article: ARTICLE,
  body: {
    id: 'c1',
    text: 'Listing the tools of this server costs 17307 tokens, more than all the others together.',
    slots: {},
    tier: 'system',
    status: ['observed'],
    sources: [],
    section: 'what-they-cost',
    claimed_by: 'tester',
    why: 'It is what every session pays before the first question.',
    rationale: 'Counted from the payload that the server sent.',
    tokens: null,
    cost: null,
    replaces: null,
    ...body,
  },
});

export const WORDS: Words = {
  id: 'a'.repeat(32),
  salt: new Uint8Array(32).fill(9),
  body: canonical({ actor: 'somebody', kind: 'objection', objection: 'It is not so.' }),
};
/** A post that was taken in; its words are WORDS. */
export const receive = (body: Partial<ReceiveBody> = {}): Of<'objection.receive'> => ({
  type: 'objection.receive',
  article: ARTICLE,
  body: {
    id: WORDS.id,
    kind: 'objection',
    claim: null,
    surface: 'S1',
    commit: commitment(WORDS.salt, new TextEncoder().encode(WORDS.body)),
    received_at: STAMP.ts,
    ...body,
  },
});
export const resolve = (body: Partial<ResolveBody> = {}): Of<'objection.resolve'> => ({
  type: 'objection.resolve',
  article: ARTICLE,
  body: {
    id: WORDS.id,
    receive: '0'.repeat(64),
    outcome: 'answered',
    answer: 'It is so now.',
    claim: null,
    replaces: null,
    ...body,
  },
});
export const erase = (body: Partial<EraseBody> = {}): Of<'erase'> => ({
  type: 'erase',
  article: ARTICLE,
  body: { id: WORDS.id, receive: '0'.repeat(64), reason: 'asked for', ...body },
});

export const slots = (...inputs: string[]): ClaimBody['slots'] => ({
  'servers.notion.tokens': {
    value: '17307',
    unit: 'tokens',
    method: 'tokens/o200k_base/anthropic/compact@1',
    inputs,
  },
});

export const article = (body: Partial<ArticleBody> = {}): Of<'article.put'> => ({
  type: 'article.put',
  article: ARTICLE,
  body: {
    id: ARTICLE,
    title: 'What it costs',
    summary: 'More than one thinks.',
    tags: [],
    files: {},
    claims: [],
    sources: [],
    figures: {},
    replaces: null,
    ...body,
  },
});
