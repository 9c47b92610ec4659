import { expect } from 'vitest';
import { toBase64Url, bytesFromText } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import type { Answered } from '@/test/interop/peer-process';
import type { Scene } from '@/test/interop/teller';

/** The names under which one answer's places are listed. */
const ownersOf = ({ value }: Answered): string[] =>
  [...(value.owners ?? (value.owner == null ? [] : [value.owner]))].sort();

const listed = ({ members }: LockDetail): string[] =>
  members
    .filter(({ stale }) => !stale)
    .map(({ id }) => id)
    .sort();

/** With the version of now: one member stands for the hold, and another one after it. */
async function removeMember(scene: Scene, member: string): Promise<void> {
  const lock = await scene.until(`${member} is inside`, (seen) => listed(seen).includes(member));
  const path = `/api/v1/locks/${encodeURIComponent(lock.target)}/${scene.db}`;
  const key = toBase64Url(bytesFromText(scene.key));
  const body = { member, version: lock.hold?.version, reason: 'the interop suite tries it' };
  const answer = await scene.world.console.request('POST', `${path}/${key}/remove-member`, {
    body,
  });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
}

/** Two hold it and are both listed; one is taken out, whoever waited has its place, the other keeps its own. */
export async function isShared(scene: Scene): Promise<void> {
  const { spec, a, b } = scene;
  const options = spec.shared?.options ?? {};
  const c = scene.world.peer.client(spec.library, 'c');
  const first = await scene.acquire(a, options);
  const second = await scene.acquire(b, options);
  const both = [...ownersOf(first), ...ownersOf(second)].sort();
  const lock = await scene.until(`${both.join(' and ')} are inside`, (seen) =>
    both.every((owner) => listed(seen).includes(owner)),
  );
  expect(listed(lock)).toEqual(both);
  if (spec.shared?.role) {
    expect(lock.members.map(({ role }) => role)).toEqual(both.map(() => spec.shared?.role));
  }
  const waiter = spec.shared?.isFull ? scene.acquire(c, options) : null;
  for (const member of ownersOf(first)) await removeMember(scene, member);
  const third = waiter ? ownersOf(await waiter) : [];
  const left = [...ownersOf(second), ...third].sort();
  await scene.until(
    `${left.join(' and ')} are inside`,
    (seen) => listed(seen).join() === left.join(),
  );
  // What the one that was taken out says of its release is told by the part with a forced one.
  await scene.release(a).catch(() => undefined);
  await scene.until('the others stay', (seen) => listed(seen).join() === left.join());
  await scene.release(b);
  if (waiter) await scene.release(c);
  await scene.until('it is free', ({ state }) => state === 'free');
}
