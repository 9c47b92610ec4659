import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { alertAbout } from '@/test/interop/alert';
import { python } from '@/test/interop/python/ecosystem';
import { describeLibrary } from '@/test/interop/suite';
import { expectSameMoment } from '@/test/interop/teller';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(python, { env: { LOCKSCOPE_NO_EXPIRY_MS: '1000' } });

/** A task's name and its arguments as JSON, which the library hashes. */
const singletonKey = (name: string): string => {
  const call = `it.singleton${JSON.stringify([name])}{}`;
  return `SINGLETONLOCK_${createHash('md5').update(call).digest('hex')}`;
};

describeLibrary(world, {
  library: 'celery-singleton',
  title: 'celery-singleton',
  format: { id: 'celery-singleton', certain: true },
  kind: 'job',
  keyOf: singletonKey,
  leaseMs: null,
  release: { oldHolder: 'deletes-anyway' },
});

describeLibrary(world, {
  library: 'celery-once',
  title: 'celery-once',
  format: { id: 'celery-once', certain: true },
  kind: 'job',
  keyOf: (name) => `qo_it.once_name-${name}`,
  leaseMs: 20_000,
  release: { oldHolder: 'deletes-anyway' },
});

it('a task whose worker was lost keeps others from being queued until it is released', async () => {
  const name = 'it:celery-singleton:lost';
  const key = singletonKey(name);
  const client = world.peer.client('celery-singleton', 'lost');
  const next = world.peer.client('celery-singleton', 'next');
  const { value } = await client.ask('acquire', name);
  const lock = await world.console.heldBy(key, value.owner ?? '');
  expect(lock.hold).toMatchObject({ owner: { thread: value.owner }, deadline: null });
  expect(await alertAbout(world, 'no-expiry', key)).toMatchObject({ severity: 'info' });
  expect((await next.ask('tryAcquire', name)).value.held).toBe(false);
  expect(lock.library.releaseNotes).toContain('lost-worker');
  const answer = await world.console.release(key, {
    version: lock.hold?.version,
    reason: 'its worker is gone',
  });
  expect(answer.body).toMatchObject({ outcome: 'released', cameBack: false });
  const again = await next.ask('tryAcquire', name);
  await world.console.heldBy(key, again.value.owner ?? '');
  await next.ask('release', name);
});

it('the token of celery-once tells when its task was queued', async () => {
  const name = 'it:celery-once:queued';
  const key = `qo_it.once_name-${name}`;
  const client = world.peer.client('celery-once', 'queued');
  const { at } = await client.ask('acquire', name);
  const { hold } = await world.console.heldBy(key, (await world.client.get(key)) ?? '');
  expect(hold).toMatchObject({ leaseMs: 3_600_000, tokenTime: { means: 'asked' } });
  expectSameMoment('it was queued', hold?.tokenTime?.at ?? 0, at);
  await client.ask('release', name);
});
