import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { pause } from '@/test/support/pause';
import { holdOf } from '@/test/interop/story/held';
import { describeLibrary } from '@/test/interop/suite';
import type { LibrarySpec } from '@/test/interop/library-spec';
import { java } from '@/test/interop/java/ecosystem';
import { pin, releaseShown, untilShown } from '@/test/interop/java/operator';
import { expectSameMoment } from '@/test/interop/teller';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(java);

const escaped = hostname().replaceAll(/[^\w-]/g, '\\$&');

const SHEDLOCK = {
  format: { id: 'shedlock', certain: true },
  kind: 'mutex',
  keyOf: (name) => `job-lock:default:${name}`,
  ownerOf: () => new RegExp(`^ADDED:[-\\dT:.]+Z@${escaped}:[-0-9a-f]{36}$`),
  leaseMs: 20_000,
  extends: true,
} as const satisfies Omit<LibrarySpec, 'library' | 'title'>;

describeLibrary(world, {
  ...SHEDLOCK,
  library: 'shedlock',
  title: 'ShedLock',
  release: { oldHolder: 'deletes-anyway' },
  notes: ['an old holder deletes, or takes back by extending, the lock of the next one'],
});

describeLibrary(world, {
  ...SHEDLOCK,
  library: 'shedlock-safe',
  title: 'ShedLock with safeUpdate',
  release: { oldHolder: 'silent' },
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const REGISTRY = {
  format: { id: 'spring-registry', certain: false, first: true },
  kind: 'mutex',
  ownerOf: () => UUID,
  leaseMs: 20_000,
  renews: { options: {}, leaseMs: 1500, withinMs: 700 },
  extends: true,
  release: { oldHolder: 'error' },
} as const satisfies Omit<LibrarySpec, 'library' | 'title'>;

describeLibrary(world, {
  ...REGISTRY,
  library: 'spring-registry-spin',
  title: 'Spring RedisLockRegistry, spin',
  keyOf: (name) => `it:spring-registry-spin:${name}`,
  waits: { pollMs: 100, sources: ['poll', 'idle-time'], count: null, touches: true },
});

/** Who has waited once may go on listening, so that nothing in Redis tells when it waits again. */
const BEGINS_TO_WAIT_MS = 50;
const LISTENING = /\bname=spring-registry-pubsub-b\b.*\bpsub=1\b/;

describeLibrary(world, {
  ...REGISTRY,
  library: 'spring-registry-pubsub',
  title: 'Spring RedisLockRegistry, pub-sub',
  keyOf: (name) => `it:spring-registry-pubsub:${name}`,
  waits: { pollMs: 20_000, sources: ['poll', 'idle-time'], count: null },
  wakes: {
    otherwiseMs: 20_000,
    wokeWaiters: 1,
    isWaiting: async (client) => {
      await pause(BEGINS_TO_WAIT_MS);
      const lines = String(await client.client('LIST')).split('\n');
      return lines.some((line) => LISTENING.test(line));
    },
  },
});

describe('ShedLock', () => {
  it('keeps a lock after its work for lockAtLeastFor, with the name of its host', async () => {
    const name = 'nightly';
    const key = `job-lock:default:${name}`;
    const a = world.peer.client('shedlock', 'a');
    const acquired = await a.ask('acquire', name, { leaseMs: 20_000, atLeastMs: 3000 });
    await untilShown(world, key, ({ state, hold }) => state === 'held' && hold?.deadline != null);
    const released = await a.ask('release', name);
    const lock = await untilShown(world, key, ({ state }) => state === 'cooling-down');
    expect(lock.hold).toMatchObject({ owner: { host: hostname() }, notes: ['finished-kept'] });
    expectSameMoment('the work ended', lock.hold?.finishedAt ?? 0, released.at);
    expectSameMoment('it may run again', lock.hold?.deadline ?? 0, acquired.at + 3000);
    await untilShown(world, key, ({ state }) => state === 'free');
  });

  it.each([
    ['without safeUpdate takes back a lock that the next one has', 'shedlock', true],
    ['with safeUpdate leaves the lock of the next one alone', 'shedlock-safe', false],
  ] as const)('%s', async (_, library, steals) => {
    const name = `stolen-${library}`;
    const key = `job-lock:default:${name}`;
    const [a, b] = ['a', 'b'].map((each) => world.peer.client(library, each));
    await a?.ask('acquire', name, { leaseMs: 20_000 });
    const first = await untilShown(world, key, ({ hold }) => Boolean(hold?.owner.id));
    expect(first.library).toMatchObject({ oldHolder: 'steals' });
    expect(first.library.releaseNotes).toContain('unchecked-unlock');
    await releaseShown(world, first);
    await b?.ask('acquire', name, { leaseMs: 20_000 });
    const next = await untilShown(
      world,
      key,
      ({ hold }) => Boolean(hold?.owner.id) && hold?.owner.id !== first.hold?.owner.id,
    );
    const extended = await a?.ask('extend', name, { leaseMs: 30_000 });
    expect(extended?.value['extended']).toBe(steals);
    if (steals) {
      const taken = await untilShown(
        world,
        key,
        ({ hold }) => hold?.owner.id === first.hold?.owner.id,
      );
      expect(holdOf(taken, next.hold?.owner.id)).toMatchObject({
        endReason: 'overwritten',
        endedBy: first.hold?.owner.id,
      });
      await a?.ask('release', name);
    }
    await b?.ask('release', name);
    await untilShown(world, key, ({ state }) => state === 'free');
  });
});

describe('Spring RedisLockRegistry', () => {
  it('hints at clients that listen since they once waited', async () => {
    const name = 'hinted';
    const key = `it:spring-registry-pubsub:${name}`;
    // Of a library that is only guessed, listeners say nothing.
    await pin(world, `${key}*`, 'spring-registry');
    const [a, b] = ['a', 'b'].map((each) => world.peer.client('spring-registry-pubsub', each));
    await a?.ask('acquire', name, { leaseMs: 60_000 });
    const waiting = b?.ask('acquire', name, { leaseMs: 60_000 });
    const lock = await untilShown(world, key, ({ waiting: { hints = [] } }) =>
      hints.some(({ source }) => source === 'ever-waited'),
    );
    expect(lock.waiting).toMatchObject({ count: null });
    await a?.ask('release', name);
    await waiting;
    await b?.ask('release', name);
  });
});
