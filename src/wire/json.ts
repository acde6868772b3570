/** Reads fields of JSON that nobody vouches for; it must never throw on a shape it did not expect. */
import { createHash } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

/** The value when it is an object (not an array), else an empty one. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** The value when it is an array, else an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is a string, else null. */
export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Lower-case hex SHA-256 of the UTF-8 bytes. */
export function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
