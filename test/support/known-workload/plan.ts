import { createRandom, type Random } from '@/server/demo/random';

/** What one owner does to one lock at one moment, ms from the start of the workload. */
export interface Step {
  at: number;
  kind: 'take' | 'join' | 'grant' | 'leave' | 'release';
  class: number;
  lock: string;
  owner: string;
}

export interface Plan {
  /** Names of the classes as the console tells them, by number. */
  classes: string[];
  locks: number;
  lengthMs: number;
  /** In the order of time. */
  steps: Step[];
}

/** How the locks of a class are used. */
interface Habit {
  holdMs: number;
  waiters: number;
  /** Between the end of one hold and the grant of the next. */
  handoffMs: number;
}

const WORDS = ['orders', 'stock', 'payments', 'mail', 'reports'];
const THINGS = ['order', 'item', 'batch', 'cart', 'user', 'page'];

/** Class `i` of thirty: five namespaces of six kinds, from idle to hot, short to long. */
const className = (i: number): string =>
  `${WORDS[i % WORDS.length]}:${THINGS[Math.floor(i / WORDS.length) % THINGS.length]}`;

const habitOf = (i: number): Habit => ({
  holdMs: [600, 1000, 1500, 2200, 3000][i % 5] ?? 600,
  waiters: [0, 1, 2, 4, 1, 3][Math.floor(i / 5) % 6] ?? 0,
  handoffMs: [2, 5, 20][i % 3] ?? 2,
});

/** Long holds are rare and short ones common, as in life: exponential, up to two and a half times the mean. */
const aHoldMs = (random: Random, meanMs: number): number =>
  meanMs * Math.min(2.5, Math.max(0.1, -Math.log(1 - random.next())));

/**
 * `locks` locks of thirty classes within `lengthMs`, each taken by one owner and then by those who waited for it, in the
 * order of their coming. The same for the same seed.
 */
export function planWorkload({
  locks,
  lengthMs,
  seed = 1,
}: {
  locks: number;
  lengthMs: number;
  seed?: number;
}): Plan {
  const random = createRandom(seed);
  const steps: Step[] = [];
  for (let n = 0; n < locks; n++) {
    const i = n % 30;
    const habit = habitOf(i);
    const lock = `${className(i)}:${1000 + n}`;
    const life = lifeOf(random, habit, { class: i, lock });
    const last = life.at(-1)?.at ?? 0;
    const offset = random.next() * Math.max(0, lengthMs - last);
    for (const step of life) steps.push({ ...step, at: step.at + offset });
  }
  steps.sort((a, b) => a.at - b.at);
  return {
    classes: Array.from({ length: 30 }, (_, i) => `${className(i)}:*`),
    locks,
    lengthMs,
    steps,
  };
}

/** From its first taking to its last release. One in ten who wait gives up. */
function lifeOf(
  random: Random,
  { holdMs, waiters, handoffMs }: Habit,
  name: { class: number; lock: string },
): Step[] {
  const owner = (): string => `${random.uuid()}:${random.between(1, 99)}`;
  const first = owner();
  const steps: Step[] = [{ ...name, at: 0, kind: 'take', owner: first }];
  let holder = first;
  let free = aHoldMs(random, holdMs);
  const firstEnd = free;
  const arrivals = Array.from({ length: waiters }, () => firstEnd * (0.02 + 0.9 * random.next()));
  for (const at of arrivals.toSorted((a, b) => a - b)) {
    const next = owner();
    steps.push({ ...name, at, kind: 'join', owner: next });
    if (random.next() < 0.1) {
      steps.push({ ...name, at: at + (firstEnd - at) * 0.7, kind: 'leave', owner: next });
      continue;
    }
    steps.push({ ...name, at: free, kind: 'release', owner: holder });
    const start = free + handoffMs;
    steps.push({ ...name, at: start, kind: 'grant', owner: next });
    free = start + aHoldMs(random, holdMs);
    holder = next;
  }
  steps.push({ ...name, at: free, kind: 'release', owner: holder });
  return steps.toSorted((a, b) => a.at - b.at);
}
