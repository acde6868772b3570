/**
 * The fixed place in which a server is captured, so that a path it prints is the same on every
 * machine. It must never follow a link or use a folder that somebody else can write to.
 */
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../problem.ts';

/** Where all places are. Part of every capture's recipe: another folder may give other bytes. */
export const PLACES = '/tmp/weighbridge';

export type Place = {
  /** `<places>/<server>`, as the recipe names it. */
  root: string;
  /** The server's HOME, empty. */
  home: string;
  /** The server's working folder, empty. */
  work: string;
};

/** Who in this process has a place, or waits for it: the end of the last in the queue, by its root. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Makes the place empty, lets `act` use it, and removes it whatever happens. Throws Problem
 * `place.refused`. Whoever asks for a place that is taken in this process waits; two processes must
 * be kept apart by the caller's lock.
 */
export function withPlace<T>(
  server: string,
  act: (place: Place) => Promise<T>,
  places = PLACES,
): Promise<T> {
  const root = join(places, server);
  const turn = (queues.get(root) ?? Promise.resolve()).then(() => usePlace(root, act, places));
  const end = turn.catch(() => undefined);
  queues.set(root, end);
  void end.then(() => queues.get(root) === end && queues.delete(root));
  return turn;
}

async function usePlace<T>(
  root: string,
  act: (place: Place) => Promise<T>,
  places: string,
): Promise<T> {
  await ownFolder(places);
  await rm(root, { recursive: true, force: true });
  const place = { root, home: join(root, 'home'), work: join(root, 'work') };
  try {
    for (const folder of [place.root, place.home, place.work]) await ownFolder(folder);
    return await act(place);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Makes the folder, or makes sure that it is a real one, ours, and closed to others. */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(path);
  const refused = !found.isDirectory()
    ? 'is not a folder (a link or a file)'
    : found.uid !== process.getuid?.()
      ? 'belongs to another user'
      : undefined;
  if (refused !== undefined) {
    throw new Problem('place.refused', `${refused}: it is not safe to capture there`, {
      at: path,
      mend: 'Remove it, or ask its owner to; captures need this very place.',
    });
  }
  await chmod(path, 0o700);
}
