import { createSeededRandom } from '@/lib/analysis/replay-random';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A hold as its holder meant it: how long the work takes. */
export interface Work {
  /** Epoch-like ms from the start of the record. */
  at: number;
  workMs: number;
  /** 0…1, drawn with it, so that every lease meets the same fate. */
  fate: { crash: number; when: number; stall: number; stallAt: number; stallMs: number };
}

/** How long the holds of one class take. */
export interface LeaseWorkload {
  name: string;
  /** One hold's length in ms at a time of the record. */
  workMs: (random: () => number, at: number) => number;
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const lognormal = (medianMs: number, sigma: number) => (random: () => number) =>
  medianMs * Math.exp(sigma * normal(random));

const between = (random: () => number, least: number, most: number): number =>
  least + random() * (most - least);

/** Twenty minutes, at three times of the day that move from day to day. */
function isBurst(at: number): boolean {
  const day = Math.floor(at / DAY_MS);
  const minute = (at % DAY_MS) / MINUTE_MS;
  return [190, 610, 1130].some((begin) => {
    const from = begin + ((day * 37) % 60);
    return minute >= from && minute < from + 20;
  });
}

/**
 * Five classes: steady short ones; two kinds of work under one class; one whose other end slows down sixfold three times a
 * day; one that follows the day; one with a heavy tail, for which a multiple of the mean happens to fit best.
 */
export const LEASE_WORKLOADS: readonly LeaseWorkload[] = [
  { name: 'orders', workMs: lognormal(450, 0.6) },
  {
    name: 'imports',
    workMs: (random) =>
      random() < 0.9 ? between(random, 500, 1_000) : between(random, 5_000, 8_000),
  },
  {
    name: 'bursts',
    workMs: (random, at) => lognormal(400, 0.5)(random) * (isBurst(at) ? 6 : 1),
  },
  {
    name: 'daily',
    workMs: (random, at) =>
      lognormal(500, 0.4)(random) * (1.5 - Math.cos((2 * Math.PI * at) / DAY_MS) / 2),
  },
  { name: 'tail', workMs: lognormal(300, 1) },
];

/** The works of one class over so many days, one after the other as they come by chance. */
export function* worksOf(
  { workMs }: LeaseWorkload,
  { days, perSecond, seed }: { days: number; perSecond: number; seed: number },
): Generator<Work> {
  const random = createSeededRandom(seed);
  for (let at = 0; ;) {
    at -= (Math.log(1 - random()) / perSecond) * 1000;
    if (at >= days * DAY_MS) return;
    const length = workMs(random, at);
    yield {
      ...{ at, workMs: length },
      fate: {
        crash: random(),
        when: random(),
        stall: random(),
        stallAt: random(),
        stallMs: stallOf(random),
      },
    };
  }
}

/** A process or its way to Redis stands still: mostly for a collection of garbage, seldom for a second or two. */
const stallOf = (random: () => number): number =>
  random() < 0.99 ? -Math.log(1 - random()) * 80 : between(random, 500, 2_000);
