// Plants a secret of its own in every place of an answer that text can stand in; told to exit, on stderr.
import { send, serve } from './serve.ts';

const alphabet = 'q7Zt3Vb9Xw2Lk5Rm8Yp4Dh6Gs1Jf0NcTeUa';
let planted = 0;
/** A token that differs from all others: the alphabet, turned further each time. */
function plant(): string {
  const at = ++planted % alphabet.length;
  return `ghp_${alphabet.slice(at)}${alphabet.slice(0, at)}Q`;
}
if (process.argv.includes('exit')) {
  process.stderr.write(`${plant()} in one line\nAuthorization: Bearer ${plant()}\n`);
  process.exit(1);
}
if (process.argv.includes('error')) {
  serve({
    'tools/list': ({ id }) => send({ id, error: { code: -1, message: plant(), data: plant() } }),
  });
} else {
  const text = () => `see ${plant()} there`;
  const schema = () => ({
    type: 'object',
    title: text(),
    description: text(),
    $comment: text(),
    properties: {
      [plant()]: {
        type: 'string',
        enum: [text()],
        default: text(),
        examples: [text()],
        pattern: text(),
      },
    },
    required: [plant()],
    $defs: { [plant()]: { const: text() } },
  });
  const tool = (name: string) => ({
    name,
    title: text(),
    description: text(),
    inputSchema: schema(),
    outputSchema: schema(),
    annotations: { title: text(), [plant()]: true },
    icons: [{ src: `https://example.org/i.png?access_token=${plant()}`, mimeType: text() }],
    _meta: { [plant()]: text(), nested: [{ deep: [text(), { [plant()]: text() }] }] },
    [plant()]: text(),
  });
  const escaped = JSON.stringify({ api_key: plant(), url: `https://me:${plant()}@example.org/` });
  const tools = [tool('one'), { ...tool(plant()), description: escaped }];
  const list = { tools, _meta: { [plant()]: text() }, extra: text(), [plant()]: [text()] };
  const serverInfo = { name: plant(), version: plant(), title: text(), [plant()]: text() };
  serve(
    { 'tools/list': ({ id }) => send({ id, result: list }) },
    { serverInfo, instructions: text() },
  );
}
