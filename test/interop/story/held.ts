import { expect } from 'vitest';
import type { LockDetail, PastHold } from '@/lib/protocol/lock';
import { expectSameMoment, type Scene } from '@/test/interop/teller';

/** A lease as the console tells it, beside the one that was asked for: what is lost on the way from Redis. */
const LEASE_SLACK_MS = 1_000;

function expectFormat({ spec }: Scene, lock: LockDetail): void {
  const { id, certain, first = false } = spec.format;
  if (certain) expect([lock.format, ...(lock.otherFormats ?? [])]).toEqual([id]);
  else if (first) expect(lock.format).toBe(id);
  else expect([lock.format, ...(lock.otherFormats ?? [])]).toContain(id);
}

/** Who holds it, what it is, until when: as its client knows it. */
export async function isHeld(scene: Scene): Promise<void> {
  const { spec, a } = scene;
  const acquired = await scene.acquire(a);
  const lock = await scene.heldBy(acquired, 'a');
  expectFormat(scene, lock);
  expect(lock).toMatchObject({ kind: spec.kind, db: scene.db, acquisitions: 1 });
  expectSameMoment('the hold began', lock.hold?.since ?? 0, acquired.at);
  const { depth, fence } = acquired.value;
  if (typeof depth === 'number') expect(lock.hold?.depth).toBe(depth);
  if (fence !== undefined) {
    await scene.until('its fencing token is told', ({ hold }) => hold?.fence === fence);
  }
  if (spec.leaseMs === null) expect(lock.hold).toMatchObject({ leaseMs: null, deadline: null });
  else {
    const leased = await scene.until('its lease is known', ({ hold }) => hold?.leaseMs != null);
    const { leaseMs, deadline, since } = leased.hold ?? {};
    expect(Math.abs((leaseMs ?? 0) - spec.leaseMs)).toBeLessThan(LEASE_SLACK_MS);
    expectSameMoment('the lease ends', deadline ?? 0, (since ?? 0) + spec.leaseMs);
  }
  await scene.release(a);
}

/** The finished hold of whom this console owner names. */
export const holdOf = ({ holds }: LockDetail, owner: string | undefined): PastHold | undefined =>
  holds.find((hold) => hold.owner === owner && hold.endReason !== null);

/** Released without anybody waiting: ended as that, with its length. */
export async function isLeft(scene: Scene): Promise<void> {
  const acquired = await scene.acquire(scene.a);
  const { hold } = await scene.heldBy(acquired, 'a');
  const released = await scene.release(scene.a);
  const free = await scene.until('it is free', ({ state }) => state === 'free');
  const past = holdOf(free, hold?.owner.id);
  expect(past).toMatchObject({ endReason: 'released' });
  expectSameMoment('it was released', past?.end ?? 0, released.at);
}

/** The same client takes it twice and gives one level back. */
export async function isReentered(scene: Scene): Promise<void> {
  const { a } = scene;
  const first = await scene.acquire(a);
  const held = await scene.heldBy(first, 'a');
  const second = await scene.acquire(a);
  const deep = await scene.until('its depth is 2', ({ hold }) => hold?.depth === 2);
  if (typeof second.value.depth === 'number') expect(second.value.depth).toBe(2);
  expect(deep.hold).toMatchObject({
    generation: held.hold?.generation,
    owner: { id: held.hold?.owner.id },
    maxDepth: 2,
  });
  await scene.release(a);
  await scene.until('its depth is 1', ({ hold }) => hold?.depth === 1);
  await scene.release(a);
  const free = await scene.until('it is free', ({ state }) => state === 'free');
  expect(free.acquisitions).toBe(1);
  expect(holdOf(free, held.hold?.owner.id)).toMatchObject({ endReason: 'released', maxDepth: 2 });
}

async function isRenewedByItself(scene: Scene): Promise<void> {
  const { renews } = scene.spec;
  if (!renews) return;
  const { options, leaseMs } = renews;
  const acquired = await scene.acquire(scene.a, { renew: true, leaseMs, ...options });
  const held = await scene.heldBy(acquired, 'a');
  const renewed = await scene.until(
    'it is renewed twice',
    ({ hold }) => (hold?.renewals ?? 0) >= 2,
  );
  expect(renewed).toMatchObject({
    acquisitions: held.acquisitions,
    hold: { generation: held.hold?.generation, owner: { id: held.hold?.owner.id } },
  });
  await scene.release(scene.a);
  await scene.until('it is free', ({ state }) => state === 'free');
}

async function isExtended(scene: Scene): Promise<void> {
  const { spec, a } = scene;
  if (!spec.extends) return;
  const acquired = await scene.acquire(a);
  const held = await scene.heldBy(acquired, 'a');
  const leaseMs = 2 * (spec.leaseMs ?? 10_000);
  const extended = await a.ask('extend', scene.name, { ...spec.options, leaseMs });
  expect(extended.value['extended']).not.toBe(false);
  const longer = await scene.until('it is extended', ({ hold }) => (hold?.renewals ?? 0) === 1);
  expect(longer).toMatchObject({
    acquisitions: held.acquisitions,
    hold: { generation: held.hold?.generation },
  });
  expectSameMoment('the longer lease ends', longer.hold?.deadline ?? 0, extended.at + leaseMs);
  await scene.release(a);
  await scene.until('it is free', ({ state }) => state === 'free');
}

/** Renewals by the library and extensions by the application count as what they are. */
export async function isRenewed(scene: Scene): Promise<void> {
  await isRenewedByItself(scene);
  await isExtended(scene);
}

/** Nobody renews: it ends at its deadline, and is told from a release. */
export async function endsByItself(scene: Scene): Promise<void> {
  const leaseMs = scene.spec.lapseMs ?? 1000;
  const acquired = await scene.acquire(scene.a, { leaseMs });
  const free = await scene.until(
    'it has lapsed',
    ({ state, holds }) => state === 'free' && holds.length > 0,
  );
  const past = holdOf(free, free.lastEnd?.owner ?? '');
  expect(scene.isOwner(past?.owner ?? '', acquired, 'a')).toBe(true);
  expect(past).toMatchObject({ endReason: 'lease-ended' });
  expectSameMoment('it lapsed', past?.end ?? 0, acquired.at + leaseMs);
}
