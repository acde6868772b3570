/**
 * What the fold reads of an entry, so that a process that has checked it whole can hand over less. It
 * must never leave out what the fold or the verifier asks for: a test holds the two folds equal.
 */
import type { Entry } from './entry.ts';

const inputsOf = (slots: Readonly<Record<string, { inputs: readonly string[] }>>) =>
  Object.fromEntries(Object.entries(slots).map(([name, { inputs }]) => [name, { inputs }]));

/** An entry without what no reference hangs on. Only for a fold whose standings nobody reads. */
export function essence({ actor: _, ...entry }: Entry): object {
  switch (entry.type) {
    case 'capture.add': {
      const { body } = entry;
      if (body.kind !== 'tools_list') return entry;
      const { kind, outcome, server, blob, unchanged_from } = body;
      const { version } = body.package;
      return {
        ...entry,
        body: { kind, outcome, server, package: { version }, blob, unchanged_from },
      };
    }
    case 'source.put': {
      const { id, replaces } = entry.body;
      return { ...entry, body: { id, replaces } };
    }
    case 'claim.put': {
      const { id, slots, sources, replaces } = entry.body;
      return { ...entry, body: { id, slots: inputsOf(slots), sources, replaces } };
    }
    default:
      return entry;
  }
}
