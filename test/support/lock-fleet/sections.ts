import type { Lock } from '@/lib/lock/index';
import type { LockUnderTest, LoopPlan } from '@/test/support/lock-fleet/messages';
import { createRandom, type Random } from '@/test/support/lock-fleet/random';
import type { Hold, Resource } from '@/test/support/lock-fleet/resource';
import { pause } from '@/test/support/pause';

interface Loop {
  locks: LockUnderTest;
  resource: Resource;
  plan: LoopPlan;
  process: string;
  isEnding: () => boolean;
}

interface Section extends Loop {
  random: Random;
  worker: string;
  id: string;
}

const EXPECTED = new Map([
  ['ACQUISITION_TIMEOUT', 'timedOut'],
  ['ABORTED', 'aborted'],
  ['LOST', 'lost'],
] as const);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Runs the plan's workers until `isEnding`; whatever breaks a promise stands in the resource afterwards. */
export async function runLoops(loop: Loop): Promise<void> {
  const workers = Array.from({ length: loop.plan.workers }, (_, index) => index);
  await Promise.all(workers.map(async (index) => await runWorker(loop, index)));
}

async function runWorker(loop: Loop, index: number): Promise<void> {
  const random = createRandom(loop.plan.seed * 1_000 + index);
  const worker = `${loop.process}/${index}`;
  for (let n = 1; !loop.isEnding(); n++) {
    await runSection({ ...loop, random, worker, id: `${worker}#${n}` });
    // Without a turn of the event loop a worker that gets every lock at once would starve its own process.
    if (n % 50 === 0) await pause(0);
  }
}

/** A name with a weight of 1/√rank: hot ones with a queue, others often free. */
function pickName({ plan, random }: Section): string {
  const weights = plan.names.map((_, index) => 1 / Math.sqrt(index + 1));
  let rest = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  return (
    plan.names.find((_, index) => (rest -= weights[index] ?? 0) <= 0) ?? random.pick(plan.names)
  );
}

async function runSection(section: Section): Promise<void> {
  const name = pickName(section);
  try {
    await holdSomehow(section, name);
  } catch (error) {
    const counted = EXPECTED.get(codeOf(error) as 'LOST');
    const isAsked = counted !== 'aborted' || section.plan.shares.aborted > 0;
    if (counted && isAsked) await section.resource.count(counted);
    else await section.resource.accuse(`${section.id} on ${name}: ${String(error)}`);
  }
}

async function holdSomehow(section: Section, name: string): Promise<void> {
  const { locks, plan, random, resource } = section;
  const { shares, waitMs } = plan;
  const fair = !random.isBelow(shares.barging);
  if (random.isBelow(shares.tries)) {
    const lock = await locks.tryAcquire(name);
    return lock ? await visitAndRelease(section, name, lock) : await resource.count('missed');
  }
  if (random.isBelow(shares.impatient)) {
    return await visitAndRelease(
      section,
      name,
      await locks.acquire(name, { waitMs: random.between(0, 20), fair }),
    );
  }
  if (random.isBelow(shares.aborted)) {
    const signal = AbortSignal.timeout(random.between(0, 30));
    return await visitAndRelease(
      section,
      name,
      await locks.acquire(name, { waitMs, signal, fair }),
    );
  }
  await locks.using(name, { waitMs, fair }, async (lock) => {
    if (random.isBelow(shares.nested)) {
      await locks.using(name, { waitMs }, async () => await visit(section, name, lock));
    } else await visit(section, name, lock);
  });
}

async function visitAndRelease(section: Section, name: string, lock: Lock): Promise<void> {
  try {
    await visit(section, name, lock);
  } finally {
    await lock.release();
  }
}

/** The critical section: a write when it begins, maybe some work, a write when it ends. */
async function visit(section: Section, name: string, lock: Lock): Promise<void> {
  const { resource, plan, random, id, process, worker } = section;
  const hold: Hold = { fence: lock.fence, id, process, worker };
  if (!(await write(section, name, { lock, hold, by: 'enter' }))) return;
  if (random.isBelow(plan.longHolds.share)) await pause(random.between(1, plan.longHolds.maxMs));
  if (!(await write(section, name, { lock, hold, by: 'leave' }))) await resource.count('gaveUp');
}

/** False when it was not written: because the lock was known to be lost, or because the resource refused. */
async function write(
  { resource }: Section,
  name: string,
  { lock, hold, by }: { lock: Lock; hold: Hold; by: 'enter' | 'leave' },
): Promise<boolean> {
  if (!lock.isHeld) return false;
  const answer = await resource[by](name, hold);
  if (answer === 'accepted') return true;
  if (answer === 'twice') {
    await resource.accuse(`${hold.id} on ${name}: fence ${hold.fence} was given to two holds`);
  } else if (lock.isHeld || !lock.signal.aborted) {
    await resource.accuse(
      `${hold.id} on ${name}: refused with fence ${hold.fence} at ${by}, and still says it is held`,
    );
  } else await resource.count('refused');
  return false;
}
