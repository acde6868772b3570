/**
 * Google's Gemini API, as far as gemini-cli needs it to finish a turn: generateContent (stream and
 * not), countTokens and models. Pure; it must never keep what it is given.
 */
import { type Answer, type Api, events, json, type Reading, type SentTool } from './api.ts';
import { type Fields, fields, list, text } from './json.ts';

const PATH = /^\/v1(?:alpha|beta\d*)?\/(?:models|tunedModels)\/([^/:]+):(\w+)$/;

export const gemini: Api = {
  name: 'gemini',
  route(method, path) {
    const base = { api: 'gemini', read } as const;
    const verb = method === 'POST' ? PATH.exec(path)?.[2] : undefined;
    if (verb === 'generateContent') {
      return { ...base, endpoint: 'generate_content', turn: true, answer: whole };
    }
    if (verb === 'streamGenerateContent') {
      return { ...base, endpoint: 'stream_generate_content', turn: true, answer: stream };
    }
    if (verb === 'countTokens') {
      const answer = (_reading: Reading | null, _query: URLSearchParams, body: Fields) =>
        json({ totalTokens: Math.ceil(JSON.stringify(body).length / 4) });
      return { ...base, endpoint: 'count_tokens', turn: false, answer };
    }
    // Under /v1 the path is OpenAI's.
    if (method === 'GET' && /^\/v1(?:alpha|beta\d*)\/models$/.test(path)) {
      const supportedGenerationMethods = ['generateContent', 'countTokens'];
      const models = [{ name: 'models/weighbridge', supportedGenerationMethods }];
      return {
        api: 'gemini',
        endpoint: 'models',
        turn: false,
        read: null,
        answer: () => json({ models }),
      };
    }
    return null;
  },
  error: (status, message) =>
    json({ error: { code: status, message, status: ERRORS[status] ?? 'INTERNAL' } }, status),
};

const ERRORS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
};

/** Google's library writes camelCase, curl examples snake_case; the API takes both. */
function either(value: Fields, camel: string): unknown {
  return value[camel] ?? value[camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function read(body: Fields, path: string): Reading {
  const instruction = either(body, 'systemInstruction');
  const system = list(fields(instruction)['parts']).map((part, i) => ({
    at: `/systemInstruction/parts/${i}`,
    text: text(fields(part)['text']) ?? '',
  }));
  if (typeof instruction === 'string') system.push({ at: '/systemInstruction', text: instruction });
  const tools = list(body['tools']);
  return {
    model: PATH.exec(path)?.[1] ?? null,
    stream: path.endsWith(':streamGenerateContent'),
    carriers: tools.length > 0 ? [tools] : [],
    tools: tools.flatMap((tool): SentTool[] => {
      const declared = either(fields(tool), 'functionDeclarations');
      if (Array.isArray(declared)) {
        return declared.map((sent) => ({
          name: text(fields(sent)['name']) ?? '',
          namespace: null,
          type: null,
          deferred: false,
          sent,
        }));
      }
      // A tool that Google runs itself is an object under its own name: {googleSearch: {}}.
      const name = Object.keys(fields(tool))[0] ?? '';
      return [{ name, namespace: null, type: 'builtin', deferred: false, sent: tool }];
    }),
    system,
    messages: list(body['contents']).length,
    cache: [],
    metadataKeys: Object.keys(fields(body['labels'])),
  };
}

function response(body: Fields, model: string): Fields {
  // gemini-cli first asks a small model for JSON on how hard the task is.
  const wanted = either(fields(either(body, 'generationConfig')), 'responseMimeType');
  const answer = wanted === 'application/json' ? '{}' : 'ok';
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text: answer }] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 1, totalTokenCount: 1 },
    modelVersion: model,
  };
}

function whole(reading: Reading | null, _query: URLSearchParams, body: Fields): Answer {
  return json(response(body, reading?.model ?? 'weighbridge'));
}

function stream(reading: Reading | null, query: URLSearchParams, body: Fields): Answer {
  const only = response(body, reading?.model ?? 'weighbridge');
  // Without alt=sse the API streams one JSON array.
  if (query.get('alt') !== 'sse') return json([only]);
  return events([`data: ${JSON.stringify(only)}\n\n`]);
}
