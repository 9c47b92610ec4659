import { afterEach, describe, expect, it } from 'vitest';
import type { Lock, LockClient } from '@/lib/lock/index';
import { createRandom, type Random } from '@/test/support/lock-fleet/random';
import {
  createRedlockWorld,
  type RedlockNode,
  type RedlockWorld,
} from '@/test/support/lock-fleet/redlock-world';
import { createResource, type Record, type Resource } from '@/test/support/lock-fleet/resource';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

const TTL_MS = 600;
const NAMES = ['a', 'b', 'c', 'd'];
/** What a node that fails may do to whoever asks for a lock. */
const EXPECTED = new Set([
  'ACQUISITION_TIMEOUT',
  'LOST',
  'QUORUM_NOT_REACHED',
  'REDIS_UNREACHABLE',
]);
/** Longer than any lease that was given before: a node without persistence has forgotten them all. */
const FORGETTING_MS = TTL_MS * 1.5;

let world: RedlockWorld;
let own: TestRedis;

afterEach(async () => {
  await world.stop();
  await own.stop();
});

interface Run {
  client: LockClient;
  resource: Resource;
  worker: string;
  random: Random;
  isEnding: () => boolean;
}

async function visit(run: Run, name: string, lock: Lock, id: string): Promise<void> {
  const { resource, worker } = run;
  const hold = { id, fence: lock.fence, process: worker, worker };
  for (const by of ['enter', 'leave'] as const) {
    if (!lock.isHeld) return;
    const answer = await resource[by](name, hold);
    if (answer === 'accepted') continue;
    // A lease that ran out while the write was on its way is what the fence is for.
    if (answer === 'twice' || lock.isHeld) {
      await resource.accuse(`${id} on ${name}: ${answer} at ${by} with fence ${lock.fence}`);
    }
    return;
  }
}

async function work(run: Run): Promise<void> {
  for (let n = 1; !run.isEnding(); n++) {
    const id = `${run.worker}#${n}`;
    const name = run.random.pick(NAMES);
    try {
      await run.client.using(name, { waitMs: 5_000 }, async (lock) => {
        await visit(run, name, lock, id);
      });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!EXPECTED.has(code)) await run.resource.accuse(`${id} on ${name}: ${String(error)}`);
    }
  }
}

async function fail(node: RedlockNode, random: Random): Promise<void> {
  const lasts = random.between(50, TTL_MS * 2);
  const kind = random.pick(['pause', 'cut', 'kill']);
  if (kind === 'pause') {
    node.pause();
    await pause(lasts);
    node.resume();
  } else if (kind === 'cut') {
    node.proxy.partition();
    await pause(lasts);
    node.proxy.heal();
  } else {
    await node.kill();
    await pause(FORGETTING_MS);
    await node.restart();
  }
  await pause(random.between(100, 400));
}

async function runUntil(sections: number, failing: number): Promise<Record> {
  const random = createRandom(7);
  const resource = createResource(own.client({ enableAutoPipelining: true }));
  let isEnding = false;
  const workers = [0, 1, 2].flatMap((c) => {
    const client = world.client({ ttlMs: TTL_MS });
    return [0, 1, 2, 3].map(async (w) => {
      const seeded = createRandom(c * 10 + w);
      const worker = `${c}/${w}`;
      await work({ client, resource, worker, random: seeded, isEnding: () => isEnding });
    });
  });
  const faults = Array.from({ length: failing }, async (_, f) => {
    // Each has nodes of its own, so that a majority is left at any time.
    const victims = world.nodes.filter((_node, n) => n % failing === f);
    while (!isEnding) await fail(random.pick(victims), random);
  });
  const startedAt = Date.now();
  let record = await resource.read();
  while (record.sections < sections && Date.now() - startedAt < 400_000) {
    await pause(100);
    record = await resource.read();
  }
  isEnding = true;
  await Promise.all([...workers, ...faults]);
  return await resource.read();
}

describe('while nodes are killed, paused and cut off by turns', () => {
  it.each([
    { nodes: 3, failing: 1, sections: 5_000 },
    { nodes: 5, failing: 2, sections: 2_000 },
  ])('$nodes nodes never have two holders at once', { timeout: 500_000 }, async (plan) => {
    world = await createRedlockWorld(plan.nodes);
    own = await startRedis({ flags: '' });
    const record = await runUntil(plan.sections, plan.failing);
    expect(record.accusations).toEqual([]);
    expect(record.overtakings).toEqual([]);
    expect(record.sections).toBeGreaterThanOrEqual(plan.sections);
  });
});
