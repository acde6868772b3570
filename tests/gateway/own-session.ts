/** Lines of a session file in Claude Code's form, of our own making: numbers to be told apart, no text. */

export interface Message {
  id?: string;
  request?: string;
  ref?: string;
  at?: string;
  output?: number;
  usage?: Record<string, unknown>;
}

/** One record of a message; a message has one for each block of its content. */
export function assistant({
  id = 'msg_1',
  request = 'req_1',
  ref,
  at = '2026-01-02T03:04:05.678Z',
  output = 5,
  usage,
}: Message): Record<string, unknown> {
  return {
    ...{ type: 'assistant', sessionId: 's', timestamp: at, requestId: request },
    ...(ref === undefined ? {} : { requestRef: ref }),
    message: {
      ...{
        id,
        role: 'assistant',
        model: 'claude-opus-5-5',
        content: [{ type: 'text', text: 'ours' }],
      },
      usage: usage ?? {
        input_tokens: 12,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 20_000,
        output_tokens: output,
      },
    },
  };
}

/** The tools of requests, kept once for all that share them. */
export const shape = (shapeHash: string, tools: readonly unknown[]) => ({
  ...{ type: 'api-request-shape', sessionId: 's', shapeHash },
  shape: { system: [], tools },
});

/** A request of such a shape. */
export const request = (id: string, shapeHash: string) => ({
  ...{ type: 'api-request', sessionId: 's', id, shapeHash },
});
