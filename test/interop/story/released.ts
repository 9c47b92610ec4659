import { expect } from 'vitest';
import { until } from '@/test/support/until';
import { LibraryError } from '@/test/interop/peer-process';
import { holdOf } from '@/test/interop/story/held';
import { releaseByForce, startWaiting } from '@/test/interop/story/waited-for';
import type { Scene } from '@/test/interop/teller';

/** One line of what a release came to, for the summary. */
function inWords(outcome: unknown): string {
  if (outcome instanceof Error) return `release: ${firstLine(outcome.message)}`;
  const isRefused = JSON.stringify(outcome).includes('"released":false');
  return isRefused ? 'release: says that it did not' : 'release: says nothing';
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 90);

/** What the old holder is told when it gives back what was taken from it. */
async function expectOldHolder(scene: Scene): Promise<void> {
  const expected = scene.spec.release?.oldHolder ?? 'error';
  const outcome = await scene.release(scene.a).catch((error: unknown) => error);
  scene.found.oldHolder.push(inWords(outcome));
  if (expected === 'error') {
    expect(outcome).toBeInstanceOf(LibraryError);
    expect(outcome).toMatchObject({ kind: 'not-held' });
    return;
  }
  expect(outcome).not.toBeInstanceOf(Error);
  if (expected === 'says-false') expect(outcome).toMatchObject({ value: { released: false } });
}

/** Taken from its holder: the next one has it, and the old one finds out as its library lets it. */
export async function isReleasedByForce(scene: Scene): Promise<void> {
  const { spec, a, b } = scene;
  const acquired = await scene.acquire(a);
  const lock = await scene.heldBy(acquired, 'a');
  const waiter = spec.waits ? startWaiting(scene) : null;
  if (waiter) {
    await scene.until(
      'a waiter is there as far as can be known',
      ({ waiting }) => waiting.count === (spec.waits?.count ?? null),
    );
  }
  const { body } = await releaseByForce(scene, lock);
  scene.found.cameBack ??= body['cameBack'] === true;
  expect(body).toMatchObject({ outcome: 'released', cameBack: spec.release?.comesBack ?? false });
  const next = waiter ? await waiter.answer : await scene.acquire(b);
  const after = await scene.heldBy(next, 'b');
  expect(holdOf(after, lock.hold?.owner.id)).toMatchObject({ endReason: 'force-released' });
  await expectOldHolder(scene);
  if (spec.release?.oldHolder === 'deletes-anyway') {
    await scene.until('the old holder deleted the next lock', ({ state }) => state === 'free');
    return;
  }
  await scene.heldBy(next, 'b');
  await scene.release(b);
  const free = await scene.until('it is free', ({ state }) => state === 'free');
  expect(free.lastEnd).toMatchObject({ reason: 'released' });
}

/** Locks that the library's own tools give back better. */
export async function refusesRelease(scene: Scene): Promise<void> {
  const acquired = await scene.acquire(scene.a);
  const lock = await scene.heldBy(acquired, 'a');
  expect(lock).toMatchObject({ canRelease: false, library: { readOnly: true } });
  const body = { version: lock.hold?.version, reason: 'the interop suite tries it' };
  const answer = await scene.world.console.release(scene.key, body, scene.db);
  expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400);
  await scene.heldBy(acquired, 'a');
  await scene.release(scene.a);
  await scene.until('it is free', ({ state }) => state === 'free');
}

/** A library that renews tells its application what happened, at its next renewal at the latest. */
export async function tellsItsHolder(scene: Scene): Promise<void> {
  const { spec, world } = scene;
  if (!spec.renews) throw new Error('what tells its holder renews');
  const { options, leaseMs, withinMs } = spec.renews;
  const acquired = await scene.acquire(scene.a, { renew: true, leaseMs, ...options });
  const lock = await scene.heldBy(acquired, 'a');
  const { body } = await releaseByForce(scene, lock);
  expect(body).toMatchObject({ cameBack: spec.release?.comesBack ?? false });
  const told = await until(
    'the application is told',
    () =>
      world.peer.events.find(
        (event) => event.library === spec.library && event.name === scene.name,
      ),
    // At its next renewal, on a machine that takes ten times as long for everything.
    10 * (withinMs + 5000),
  );
  scene.found.oldHolder.push(`told: ${firstLine(told.message)}`);
}
