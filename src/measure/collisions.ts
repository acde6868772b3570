/**
 * Finds tools of different servers that a model, or a client, could take for one another. Pure; a
 * server's own double names are not its business.
 */

export interface Collision {
  /**
   * `same`: one name in several servers, told apart by the prefix alone. `alike`: names that differ
   * only in case, `-`, `_` and `.`. `sent`: different tools that are sent under one name.
   */
  kind: 'same' | 'alike' | 'sent';
  /** The name, or for `alike` the first of the names. */
  name: string;
  tools: { server: string; tool: string }[];
}

/**
 * Collisions across servers: those that break first (`sent`), then `same`, then `alike`. `server` is
 * the name as it stands in `mcp__<server>__<tool>`.
 */
export function findCollisions(
  servers: readonly { server: string; tools: readonly string[] }[],
): Collision[] {
  const all = servers.flatMap(({ server, tools }) =>
    [...new Set(tools)].map((tool) => ({ server, tool })),
  );
  const sent = groups(all, ({ server, tool }) => `mcp__${server}__${tool}`);
  const same = groups(all, ({ tool }) => tool);
  const alike = groups(all, ({ tool }) => tool.toLowerCase().replaceAll(/[-_.]/g, '')).filter(
    // Where they are all the same, that has been said.
    ([, tools]) => new Set(tools.map(({ tool }) => tool)).size > 1,
  );
  return [
    ...sent.map(([name, tools]) => ({ kind: 'sent' as const, name, tools })),
    ...same.map(([name, tools]) => ({ kind: 'same' as const, name, tools })),
    ...alike.map(([, tools]) => ({ kind: 'alike' as const, name: tools[0]!.tool, tools })),
  ];
}

type Place = { server: string; tool: string };

/** Those that share a key and stand in more than one server. */
function groups(all: readonly Place[], key: (place: Place) => string): [string, Place[]][] {
  const found = Map.groupBy(all, key);
  return [...found].filter(([, places]) => new Set(places.map(({ server }) => server)).size > 1);
}
