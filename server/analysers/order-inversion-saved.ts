import { z } from 'zod';
import { newHabit, type Habit, type Variant } from '@/lib/analysis/lock-order-memory';
import { nameOf, placesOf } from '@/lib/analysis/lock-order-shape';

/** So many are kept: more would make a document of megabytes. */
const MOST_SAVED = 1000;

const Place = z.object({
  lock: z.object({ db: z.number().int(), key: z.string(), class: z.string() }),
  mode: z.enum(['read', 'write']),
});

const SavedTaking = z.object({
  owner: z.string(),
  app: z.string().nullable(),
  held: z.array(Place).min(1),
  wanted: Place,
  at: z.number(),
});

const Owners = { owners: z.array(z.string()), isByMany: z.boolean(), times: z.number().int() };

const SavedHabit = z.object({
  ...Owners,
  firstAt: z.number(),
  lastAt: z.number(),
  example: SavedTaking,
  variants: z.array(z.object({ ...Owners, example: SavedTaking })).nullable(),
});

const SavedOrders = z.object({ version: z.literal(1), habits: z.array(SavedHabit) });

const savedVariant = ({ owners, isByMany, times, example }: Variant) => ({
  owners: [...owners],
  isByMany,
  times,
  example,
});

/** As plain JSON: the last of these. */
export const saveOrders = (habits: Iterable<Habit>) => ({
  version: 1,
  habits: [...habits]
    .slice(-MOST_SAVED)
    .map(({ owners, isByMany, times, firstAt, lastAt, example, variants }) => ({
      ...{ owners: [...owners], isByMany, times, firstAt, lastAt, example },
      variants: variants && [...variants.values()].map(savedVariant),
    })),
});

function revived({ variants, example, ...counts }: z.infer<typeof SavedHabit>): Habit {
  const habit: Habit = { ...newHabit(example), ...counts };
  if (!variants) return { ...habit, variants: null };
  for (const { example: seen, ...of } of variants) {
    const locks = placesOf(seen).map(({ lock }) => nameOf(lock));
    const { terms, relations } = habit;
    habit.variants?.set(locks.join('\n'), {
      terms,
      relations,
      locks,
      ...of,
      example: seen,
      of: habit,
    });
  }
  return habit;
}

/** The habits that were saved; none where the document is of another making. */
export function readOrders(value: unknown): Habit[] {
  const saved = SavedOrders.safeParse(value);
  return saved.success ? saved.data.habits.map(revived) : [];
}
