/** The ways in which the capture server can misbehave on purpose. Pure; none touches what is recorded. */
import type { Answer, Api, Reading } from './api.ts';

export const FAULTS = {
  'reject-defer-loading': 'answer 400 to a request that marks a tool defer_loading',
  'reject-beta': 'answer 400 to a request with an anthropic-beta header',
  'drop-message-stop': 'end a stream without the event that ends it',
  unauthorized: 'answer 401',
  slow: 'wait a second before each part of an answer',
} as const;
export type Fault = keyof typeof FAULTS;

/** The wait of `slow` before each part, in ms. */
export const SLOW_MS = 1000;

export function isFault(name: string): name is Fault {
  return Object.hasOwn(FAULTS, name);
}

/** The answer as the fault has it. */
export function misbehave(
  fault: Fault | null,
  answer: Answer,
  { api, reading, beta }: { api: Api; reading: Reading | null; beta: boolean },
): Answer {
  switch (fault) {
    case 'reject-defer-loading':
      return reading?.tools.some((tool) => tool.deferred)
        ? api.error(400, 'tools.0.custom.defer_loading: Extra inputs are not permitted')
        : answer;
    case 'reject-beta':
      return beta ? api.error(400, 'Unexpected value(s) for the `anthropic-beta` header') : answer;
    case 'drop-message-stop':
      return answer.type === 'text/event-stream'
        ? { ...answer, parts: answer.parts.slice(0, -1) }
        : answer;
    case 'unauthorized':
      return api.error(401, 'invalid credentials');
    default:
      return answer;
  }
}
