// The same tools in the same order, with the number of the listing in a description.
import { send, serve, TOOLS } from './serve.ts';

let listings = 0;
serve({
  'tools/list': ({ id }) => {
    listings++;
    send({
      id,
      result: { tools: [{ ...TOOLS[0], description: `Listing ${listings}` }, TOOLS[1]] },
    });
  },
});
