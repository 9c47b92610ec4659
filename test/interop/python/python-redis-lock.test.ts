import { expect, it } from 'vitest';
import type { LockDetail } from '@/lib/protocol/lock';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { until } from '@/test/support/until';
import { alertAbout } from '@/test/interop/alert';
import type { PeerOptions } from '@/test/interop/protocol';
import { python } from '@/test/interop/python/ecosystem';
import { describeLibrary } from '@/test/interop/suite';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(python);

const LIBRARY = 'python-redis-lock';
const LEASE_MS = 20_000;
/** A holder and a waiter without an end: nothing but a signal wakes it. */
const ENDLESS: PeerOptions = { leaseMs: null, waitMs: null };

/** How many clients are blocked in BLPOP. */
async function blockedClients(): Promise<number> {
  const lines = String(await world.client.client('LIST')).split('\n');
  return lines.filter((line) => /\bflags=b\b/.test(line) && /\bcmd=blpop\b/.test(line)).length;
}

describeLibrary(world, {
  library: LIBRARY,
  title: LIBRARY,
  format: { id: LIBRARY, certain: true },
  kind: 'mutex',
  keyOf: (name) => `lock:${name}`,
  leaseMs: LEASE_MS,
  renews: { options: {}, leaseMs: 2000, withinMs: 1500 },
  extends: true,
  waits: { pollMs: LEASE_MS, sources: ['blocked-clients'], count: null },
  wakes: {
    otherwiseMs: LEASE_MS,
    wokeWaiters: null,
    isWaiting: async () => (await blockedClients()) > 0,
  },
  release: { oldHolder: 'error' },
});

const client = (name: string) => world.peer.client(LIBRARY, name);

const untilLock = async (
  key: string,
  what: string,
  isSo: (lock: LockDetail) => boolean,
): Promise<LockDetail> =>
  await until(`${key}: ${what}`, async () => {
    const lock = await world.console.detail(key);
    return lock && isSo(lock) ? lock : undefined;
  });

/** A second client that is blocked: what it gets in the end, and whether it has that already. */
async function startBlocked(
  name: string,
): Promise<{ owner: Promise<string>; isAwake: () => boolean }> {
  let isAwake = false;
  const answer = client('blocked').ask('acquire', name, ENDLESS);
  const owner = answer.then(({ value }) => value.owner ?? '').finally(() => (isAwake = true));
  // Whoever awaits it hears of a failure; a test that fails before that does not.
  owner.catch(() => undefined);
  await until('the other client is blocked', async () => (await blockedClients()) > 0);
  return { owner, isAwake: () => isAwake };
}

async function wake(key: string): Promise<unknown> {
  const { target } = await untilLock(key, 'it is known', () => true);
  const path = `/api/v1/locks/${encodeURIComponent(target)}/0/${toBase64Url(bytesFromText(key))}`;
  const body = { reason: 'nobody pushed the signal' };
  const answer = await world.console.request('POST', `${path}/wake`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

it('who waits without an end is told as a client blocked somewhere, and woken by a release', async () => {
  const name = 'it:blocked';
  const { value } = await client('a').ask('acquire', name, ENDLESS);
  await untilLock(
    `lock:${name}`,
    'nobody is blocked',
    ({ hold, waiting }) => hold?.owner.id === value.owner && waiting.count === 0,
  );
  const waiter = await startBlocked(name);
  const { waiting, hold } = await untilLock(
    `lock:${name}`,
    'somebody is blocked',
    (lock) => lock.waiting.source === 'blocked-clients' && lock.waiting.count === null,
  );
  expect(waiting).toMatchObject({ evidence: 'inferred', owners: [] });
  expect(waiting.hints).toContainEqual(
    expect.objectContaining({ source: 'blocked-clients', evidence: 'inferred', count: 1 }),
  );
  const answer = await world.console.release(`lock:${name}`, {
    version: hold?.version,
    reason: 'somebody waits without an end',
  });
  expect(answer.body).toMatchObject({ outcome: 'released', wokeWaiters: null });
  await world.console.heldBy(`lock:${name}`, await waiter.owner);
  await client('blocked').ask('release', name);
});

it('a waiter that sleeps on after a lapse is healed by a wake-up', async () => {
  const name = 'it:lapsed';
  await client('a').ask('acquire', name, { leaseMs: 1000 });
  const waiter = await startBlocked(name);
  const free = await untilLock(
    `lock:${name}`,
    'it has lapsed',
    ({ state, lastEnd }) => state === 'free' && lastEnd?.reason === 'lease-ended',
  );
  expect(free.repairs).toContainEqual({ kind: 'wake' });
  expect(waiter.isAwake()).toBe(false);
  expect(await wake(`lock:${name}`)).toMatchObject({ outcome: 'woken', wokeWaiters: null });
  await world.console.heldBy(`lock:${name}`, await waiter.owner);
  await client('blocked').ask('release', name);
});

it('the forced release of the library itself wakes a waiter, and its old holder is told', async () => {
  const name = 'it:reset';
  await client('a').ask('acquire', name, ENDLESS);
  const waiter = await startBlocked(name);
  await client('somebody').ask('reset', name);
  const lock = await world.console.heldBy(`lock:${name}`, await waiter.owner);
  expect(lock.acquisitions).toBe(2);
  await expect(client('a').ask('release', name)).rejects.toMatchObject({ kind: 'not-held' });
  await client('blocked').ask('release', name);
});

it('signals that an old version left are told as a leak until the next release clears them', async () => {
  const name = 'it:leak';
  const { value } = await client('a').ask('acquire', name, ENDLESS);
  await world.console.heldBy(`lock:${name}`, value.owner ?? '');
  // What a reset of a version before 3 leaves: an element more each time, and no end.
  await world.client.lpush(`lock-signal:${name}`, '1');
  await world.client.lpush(`lock-signal:${name}`, '1');
  const leak = await alertAbout(world, 'signal-leak', `lock:${name}`);
  expect(leak.summary).toContain(`lock-signal:${name}`);
  const { waiting } = await untilLock(`lock:${name}`, 'it has a hint', (lock) =>
    (lock.waiting.hints ?? []).some(({ source }) => source === 'signal-list'),
  );
  expect(waiting.hints).toContainEqual(
    expect.objectContaining({ source: 'signal-list', count: 2 }),
  );
  await client('a').ask('release', name);
  expect(await world.client.llen(`lock-signal:${name}`)).toBe(1);
  await until('the leak is over', async () => {
    const alerts = await world.console.alerts('signal-leak');
    return alerts.find(({ id }) => id === leak.id)?.resolvedAt !== null;
  });
});

it('an id of the application that says host and pid is read as such', async () => {
  const name = 'it:host';
  const options = { leaseMs: LEASE_MS, id: 'worker-3.example.org:4711' };
  // Nothing but its signal list tells the library of such a lock.
  await client('a').ask('acquire', name, options);
  await client('a').ask('release', name);
  await client('a').ask('acquire', name, options);
  const lock = await untilLock(`lock:${name}`, 'its format is known', ({ hold, format }) =>
    Boolean(hold && format === LIBRARY),
  );
  expect(lock.hold?.owner).toMatchObject({ host: 'worker-3.example.org', pid: 4711 });
  await client('a').ask('release', name);
});
