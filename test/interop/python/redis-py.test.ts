import { expect, it } from 'vitest';
import type { Hold } from '@/lib/protocol/lock';
import { until } from '@/test/support/until';
import { alertAbout } from '@/test/interop/alert';
import type { PeerValue } from '@/test/interop/protocol';
import { python } from '@/test/interop/python/ecosystem';
import { describeLibrary } from '@/test/interop/suite';
import { expectSameMoment } from '@/test/interop/teller';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(python, {
  watch: [':1:it:*'],
  env: { LOCKSCOPE_NO_EXPIRY_MS: '1000' },
});

const COMMON = {
  kind: 'mutex',
  // Its tokens are 32 hex digits, as those of others are.
  format: { id: 'redis-py', certain: false, first: true },
  extends: true,
  waits: { pollMs: 100, sources: ['poll', 'idle-time'], count: null, touches: true },
  release: { oldHolder: 'error' },
} as const;

describeLibrary(world, {
  ...COMMON,
  library: 'redis-py',
  title: 'redis-py Lock',
  leaseMs: 20_000,
});

describeLibrary(world, {
  ...COMMON,
  library: 'django-redis',
  title: 'django-redis',
  keyOf: (name) => `:1:${name}`,
  leaseMs: 20_000,
});

/** When the client asked for its lock, by its own clock. */
const askedAt = (value: PeerValue): number => Number(value['askedAt']);

it('the token of redis-py tells its machine and when it was asked for', async () => {
  const name = 'it:redis-py:token';
  const client = world.peer.client('redis-py', 'token');
  const { value } = await client.ask('acquire', name, { leaseMs: 20_000 });
  const { hold } = await world.console.heldBy(name, value.owner ?? '');
  expect(hold).toMatchObject({
    owner: { instance: value['node'] },
    tokenTime: { means: 'asked' },
  });
  expectSameMoment('it was asked for', hold?.tokenTime?.at ?? 0, askedAt(value));
  await client.ask('release', name);
});

it('the token of redis-py tells how long its holder had waited', async () => {
  const name = 'it:redis-py:waited';
  const first = world.peer.client('redis-py', 'waited-a');
  const second = world.peer.client('redis-py', 'waited-b');
  await first.ask('acquire', name, { leaseMs: 1500 });
  const { value, at } = await second.ask('acquire', name, { leaseMs: 20_000 });
  const { hold } = await world.console.heldBy(name, value.owner ?? '');
  const waitedMs = (hold?.since ?? 0) - (hold?.tokenTime?.at ?? 0);
  expect(waitedMs).toBeGreaterThan(1000);
  expectSameMoment('its wait', waitedMs, at - askedAt(value));
  await second.ask('release', name);
});

it('a lock without an end, as is the default of redis-py, is told as information', async () => {
  const name = 'it:redis-py:endless';
  const client = world.peer.client('redis-py', 'endless');
  const { value } = await client.ask('acquire', name);
  const lock = await world.console.heldBy(name, value.owner ?? '');
  expect(lock.hold).toMatchObject({ leaseMs: null, deadline: null });
  expect(await alertAbout(world, 'no-expiry', name)).toMatchObject({ severity: 'info' });
  await client.ask('release', name);
});

it('a lease taken anew or added to is a renewal, and a shorter one is told', async () => {
  const name = 'it:redis-py:longer';
  const client = world.peer.client('redis-py', 'longer');
  const acquired = await client.ask('acquire', name, { leaseMs: 10_000 });
  const { hold } = await world.console.heldBy(name, acquired.value.owner ?? '');
  const untilHold = async (what: string, isSo: (shown: Hold) => boolean): Promise<Hold> =>
    await until(what, async () => {
      const shown = (await world.console.detail(name))?.hold;
      return shown && isSo(shown) ? shown : undefined;
    });
  const anew = await client.ask('reacquire', name);
  const first = await untilHold('taken anew', ({ renewals }) => renewals === 1);
  expectSameMoment('its lease ends', first.deadline ?? 0, anew.at + 10_000);
  await client.ask('extend', name, { leaseMs: 20_000, isAdded: true });
  const second = await untilHold('added to', ({ renewals }) => renewals === 2);
  expectSameMoment('its lease ends', second.deadline ?? 0, anew.at + 30_000);
  const shorter = await client.ask('reacquire', name);
  const third = await untilHold('shorter', ({ notes }) => notes.includes('lease-shortened'));
  expectSameMoment('its lease ends', third.deadline ?? 0, shorter.at + 10_000);
  expect(third).toMatchObject({ generation: hold?.generation, renewals: 2 });
  await client.ask('release', name);
});
