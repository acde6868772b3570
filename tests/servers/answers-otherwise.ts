// Answers its list under an id that nobody gave out.
import { send, serve } from './serve.ts';

serve({ 'tools/list': ({ id }) => send({ id: `${id}`, result: { tools: [] } }) });
