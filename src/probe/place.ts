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

/**
 * Makes the place empty, lets `act` use it, and removes it whatever happens. Throws Problem
 * `place.refused`. Two at once in one place must be kept apart by the caller's lock.
 */
export async function withPlace<T>(
  server: string,
  act: (place: Place) => Promise<T>,
  places = PLACES,
): Promise<T> {
  const root = join(places, server);
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
