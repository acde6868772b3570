// Will not list its tools before the client has answered four requests of its own; what came back
// is in the description.
import { type Request, send, serve } from './serve.ts';

let asked: Request | undefined;
const heard: string[] = [];
serve({
  'tools/list': (request) => {
    asked = request;
    heard.length = 0;
    send({ id: 'a', method: 'ping' });
    send({ id: 'b', method: 'roots/list' });
    send({ id: 3, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    send({ id: 4, method: 'elicitation/create', params: { message: 'Who are you?' } });
  },
  reply: ({ id, result, error }) => {
    heard.push(`${id}: ${JSON.stringify(result ?? error?.code)}`);
    if (heard.length < 4) return;
    const tools = [
      { name: 'heard', description: heard.join(', '), inputSchema: { type: 'object' } },
    ];
    send({ id: asked?.id, result: { tools } });
  },
});
