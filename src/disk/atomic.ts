/**
 * Writes a file so that after a crash it is either as it was or as it should be, and says "written"
 * only once the disk does. It never leaves a reader half a file.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes all of it: one write may stop short where the disk fills up. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** Makes renames and new names in a directory last. Windows can't open a directory and needs none of it. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a directory and those above it, each lasting. */
export function makeDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let at = path; ; at = dirname(at)) {
    syncDirectory(dirname(at));
    if (at === first || at === dirname(at)) return;
  }
}

/** Temp, fsync, rename, directory fsync. The directory must exist. Throws the system's error and leaves no temp. */
export function writeAtomic(path: string, content: Uint8Array | string): void {
  const temp = `${path}.${process.pid}.tmp`;
  try {
    const fd = openSync(temp, 'w');
    try {
      writeAll(fd, typeof content === 'string' ? new TextEncoder().encode(content) : content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}
