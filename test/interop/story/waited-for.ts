import { expect } from 'vitest';
import type { LockDetail, Waiting } from '@/lib/protocol/lock';
import { until } from '@/test/support/until';
import { preciseNow } from '@/test/interop/key-events';
import type { Answered } from '@/test/interop/peer-process';
import { percentile } from '@/test/interop/results';
import { holdOf } from '@/test/interop/story/held';
import { expectSameMoment, type Scene } from '@/test/interop/teller';

/** As the summary tells it: `1 observed (pubsub)`, `unknown (poll)`. */
const inWords = ({ count, evidence, source }: Waiting): string =>
  `${count === null ? '' : `${count} `}${evidence} (${source})`;

/** The second client's pending `acquire`, and whether it has come back already. */
export interface Pending {
  answer: Promise<Answered>;
  isDone: () => boolean;
}

export function startWaiting(scene: Scene): Pending {
  let done = false;
  const answer = scene.acquire(scene.b, scene.spec.waits?.options);
  const end = (): void => {
    done = true;
  };
  answer.then(end, end);
  return { answer, isDone: () => done };
}

/** What the console says while one client waits: never more than is true, and as much as can be known. */
async function expectWaiter(scene: Scene): Promise<LockDetail> {
  const { waits } = scene.spec;
  if (!waits) throw new Error('a library that never waits plays no part here');
  const lock = await scene.until(
    `one waiter is seen by ${waits.sources.join(' or ')}`,
    ({ waiting }) =>
      waits.sources.includes(waiting.source) &&
      waiting.count === waits.count &&
      (!waits.touches || waiting.source === 'idle-time'),
  );
  scene.found.waiters ??= inWords(lock.waiting);
  return lock;
}

/** One holds, one waits, the holder gives it back: what is said of all three. */
export async function isWaitedFor(scene: Scene): Promise<void> {
  const { a, b } = scene;
  const acquired = await scene.acquire(a);
  const alone = await scene.heldBy(acquired, 'a');
  expect(alone.waiting.count ?? 0).toBe(0);
  const waiter = startWaiting(scene);
  const waited = await expectWaiter(scene);
  expect(waiter.isDone()).toBe(false);
  const released = await scene.release(a);
  const next = await waiter.answer;
  const after = await scene.heldBy(next, 'b');
  if (scene.spec.waits?.areNamed) {
    const named = [...waited.waiters, ...waited.waiting.owners].map(({ id }) => id);
    expect(named).toContain(after.hold?.owner.id);
  }
  expect(after.acquisitions).toBe(2);
  expectSameMoment('the next hold began', after.hold?.since ?? 0, next.at);
  const past = holdOf(after, alone.hold?.owner.id);
  expect(past).toMatchObject({ endReason: 'released' });
  expectSameMoment('the first hold ended', past?.end ?? 0, released.at);
  expectSameMoment('its length', (past?.end ?? 0) - (past?.start ?? 0), released.at - acquired.at);
  await scene.release(b);
  await scene.until('it is free', ({ state }) => state === 'free');
}

/** Releases what `lock` shows. Fails on any answer but 200. */
export async function releaseByForce(
  { world, key, db }: Scene,
  lock: LockDetail,
): Promise<{ sentAt: number; body: Record<string, unknown> }> {
  const sentAt = preciseNow();
  const answer = await world.console.release(
    key,
    { version: lock.hold?.version, reason: 'the interop suite tries it' },
    db,
  );
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return { sentAt, body: answer.body };
}

/** When Redis announced the delete of the release that was sent at that moment. */
export async function deletedAt({ world, spec, key }: Scene, sentAt: number): Promise<number> {
  const names = spec.releaseEvents ?? ['del'];
  const event = await until(`${key} is announced as deleted`, () =>
    world.events.after(key, names, sentAt),
  );
  return event.at;
}

const WAKES = 24;

/** From the delete to the waiter's own acquire, again and again. None may have slept until its own poll. */
export async function wakesAtOnce(scene: Scene): Promise<void> {
  const { wakes } = scene.spec;
  if (!wakes) throw new Error('a library that wakes nobody plays no part here');
  const took: number[] = [];
  await scene.acquire(scene.a, wakes.options);
  await scene.release(scene.a);
  for (let i = 0; i < WAKES; i++) {
    const acquired = await scene.acquire(scene.a, wakes.options);
    const lock = await scene.heldBy(acquired, 'a');
    const waiter = startWaiting(scene);
    await until('the other client waits', () => wakes.isWaiting(scene.world.client, scene.key));
    const { sentAt, body } = await releaseByForce(scene, lock);
    expect(body['wokeWaiters']).toBe(wakes.wokeWaiters);
    const next = await waiter.answer;
    // The announcement may reach us after the waiter had it.
    took.push(Math.max(0, next.at - (await deletedAt(scene, sentAt))));
    await scene.release(scene.b);
    await scene.until('it is free', ({ state }) => state === 'free');
  }
  const max = Math.max(...took);
  const tenths = (ms: number): number => Math.round(ms * 10) / 10;
  scene.found.wake = {
    timed: took.length,
    p50: tenths(percentile(took, 0.5)),
    p99: tenths(percentile(took, 0.99)),
    max: tenths(max),
    otherwiseMs: wakes.otherwiseMs,
  };
  expect(max).toBeLessThan(wakes.otherwiseMs);
}
