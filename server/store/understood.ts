import type { z } from 'zod';

/** Reads stored values, and leaves out those that this version does not understand. */
export type Understand = <T>(
  kind: string,
  schema: z.ZodType<T>,
  rows: readonly { json: string }[],
) => T[];

/**
 * A later version may have written what this one does not know, a new code of an alert: that stays where it is, and
 * must not keep the console from starting nor hide all others. `tell` hears of each kind once.
 */
export function createUnderstanding(tell: (sentence: string) => void): Understand {
  const told = new Set<string>();
  return (kind, schema, rows) => {
    const read = rows.map(({ json }) => schema.safeParse(JSON.parse(json)));
    const failed = read.find(({ success }) => !success);
    if (failed && !told.has(kind)) {
      told.add(kind);
      tell(
        `${kind} in the database, written by another version of Lockscope, are not understood by this one and left out.`,
      );
    }
    return read.flatMap((each) => (each.success ? [each.data] : []));
  };
}
