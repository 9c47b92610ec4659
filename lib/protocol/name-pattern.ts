import { z } from 'zod';

/**
 * A text is a name and fits itself alone, whatever stands in it: a class such as `order:*` has a star in its name.
 * `{glob}` fits all names of a pattern, as Redis reads patterns of keys: `*`, `?`, `[a-z]`, and `\` before one of these
 * for itself.
 */
const nameOrGlob = (most: number) =>
  z.union(
    [z.string().min(1).max(most), z.strictObject({ glob: z.string().min(1).max(most) })],
    `must be a name or {"glob": "a pattern"}, of 1 to ${most} characters`,
  );

/** Of a namespace or an owner. */
export const NamePattern = nameOrGlob(1000);
export type NamePattern = z.infer<typeof NamePattern>;

export const ClassPattern = nameOrGlob(4000);
