/**
 * Which era of the protocol the weighed servers speak, as built-in figures. Pure: it must never count a
 * server that was not asked.
 */
import type { Figure, WeighedServer } from './figure.ts';
import type { Quantity } from './figures.ts';

/** What a server answered to `server/discover`. */
export interface Discovered {
  server: string;
  /** Leaf of the capture.add entry. */
  leaf: string;
  /** It speaks the revision that was asked for; else it answered with an error or named others. */
  speaks: boolean;
  /** Its list of tools says how long and by whom it may be kept. */
  keeps: boolean;
}

/**
 * `eras.negotiated.<revision>.count` of the handshake and `eras.discover.<measure>` of the revision
 * without one. The latter are left out while a weighed server has given no answer at all: a count of
 * the others would pass for one of all.
 */
export function eraFigures(
  servers: readonly WeighedServer[],
  discovered: readonly Discovered[],
): Figure[] {
  if (servers.length === 0) return [];
  const counted = (
    among: readonly { leaf: string }[],
    value: number,
    label: string,
    method: string,
  ): Quantity => {
    const inputs = among.map(({ leaf }) => leaf);
    return { value, decimals: 0, unit: 'servers', label, method, status: 'observed', inputs };
  };
  const figures: [id: string, Quantity][] = [
    ...Map.groupBy(servers, ({ protocol }) => protocol),
  ].map(([revision, those]) => {
    const label = `servers that negotiate ${revision}`;
    const id = `negotiated.${revision}.count`;
    return [id, counted(servers, those.length, label, 'protocol/initialize@1')];
  });
  const asked = servers.flatMap(
    ({ name }) => discovered.find(({ server }) => server === name) ?? [],
  );
  if (asked.length === servers.length) {
    const of = (has: (one: Discovered) => boolean, label: string) =>
      counted(asked, asked.filter(has).length, label, 'protocol/discover@1');
    figures.push(
      ['discover.count', of(({ speaks }) => speaks, 'servers that answer server/discover')],
      ['discover.refused', of(({ speaks }) => !speaks, 'servers that refuse server/discover')],
      [
        'discover.caching',
        of(({ keeps }) => keeps, 'servers whose list says how long it may be kept'),
      ],
    );
  }
  return figures.map(([id, quantity]) => ({ id: `eras.${id}`, ...quantity }));
}
