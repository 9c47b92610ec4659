import type { Redis } from 'ioredis';
import { bundleChild, type ChildProgram } from '@/test/support/lock-fleet/bundle';
import { createChaos, type Chaos, type Disturbance } from '@/test/support/lock-fleet/chaos';
import { startProcess } from '@/test/support/lock-fleet/fleet';
import type { LoopPlan, ProcessSettings } from '@/test/support/lock-fleet/messages';
import {
  createResource,
  type Overtaking,
  type Record,
  type Resource,
} from '@/test/support/lock-fleet/resource';
import { startRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';

export interface TorturePlan {
  program: ChildProgram;
  seed: number;
  processes: number;
  /** Ends when so many sections were written, or after `maxMs`. */
  sections: number;
  maxMs: number;
  /** Without: nobody is killed or paused. */
  hasChaos: boolean;
  /** Ends at the first broken promise. */
  endsAtFault?: boolean;
  client: ProcessSettings['client'] & { ttlMs: number };
  loop: Omit<LoopPlan, 'seed'>;
}

export interface Verdict {
  record: Record;
  /** Entries into a section whose holder was alive and not paused. */
  overlaps: Overtaking[];
  kills: number;
  pauses: number;
  /** Processes that ended though nobody killed them, and how. */
  deaths: string[];
  /** Keys of the locks' Redis that live for ever; the stream of reports, which is capped, aside. */
  immortalKeys: string[];
  tookMs: number;
}

/** Runs a fleet on a Redis of its own until the plan is fulfilled, and says what it did wrong. */
export async function torture(plan: TorturePlan): Promise<Verdict> {
  const [locks, own, bundle] = await Promise.all([
    startRedis(),
    startRedis({ flags: '' }),
    bundleChild(plan.program),
  ]);
  const redis = locks.client();
  const resource = createResource(own.client());
  const chaos = createChaos({
    seed: plan.seed,
    ttlMs: plan.client.ttlMs,
    start: async (process, generation) => {
      const { client } = plan;
      const settings = { process, locksPort: locks.port, resourcePort: own.port, client };
      const started = await startProcess(bundle.path, settings);
      const seed = plan.seed * 100 + generation;
      await started.ask('loop', { ...plan.loop, seed });
      return started;
    },
  });
  try {
    const startedAt = Date.now();
    await chaos.begin(plan.processes);
    await runUntilDone(plan, chaos, resource);
    const tookMs = Date.now() - startedAt;
    await chaos.end();
    return await judge({ chaos, resource, redis, ttlMs: plan.client.ttlMs, tookMs });
  } finally {
    await chaos.killAll();
    await Promise.all([locks.stop(), own.stop(), bundle.remove()]);
  }
}

async function runUntilDone(plan: TorturePlan, chaos: Chaos, resource: Resource): Promise<void> {
  const end = Date.now() + plan.maxMs;
  const isDone = ({ sections, accusations }: Record): boolean =>
    sections >= plan.sections || (plan.endsAtFault === true && accusations.length > 0);
  while (Date.now() < end && !isDone(await resource.read())) {
    if (plan.hasChaos) await chaos.disturb();
    await pause(100);
  }
}

async function judge({
  chaos,
  resource,
  redis,
  ttlMs,
  tookMs,
}: {
  chaos: Chaos;
  resource: Resource;
  redis: Redis;
  ttlMs: number;
  tookMs: number;
}): Promise<Verdict> {
  const record = await resource.read();
  const { disturbances, deaths } = chaos;
  return {
    record,
    overlaps: record.overtakings.filter((each) => !isExcused(each, disturbances, ttlMs)),
    kills: disturbances.filter(({ kind }) => kind === 'kill').length,
    pauses: disturbances.filter(({ kind }) => kind === 'pause').length,
    deaths,
    immortalKeys: await findImmortalKeys(redis),
    tookMs,
  };
}

/**
 * A lock may go to the next while its holder has not left when that holder was killed, or paused for most of
 * what its lease has left in the worst case, two thirds.
 */
function isExcused(overtaking: Overtaking, disturbances: Disturbance[], ttlMs: number): boolean {
  return disturbances.some(({ process, kind, from, to }) => {
    if (process !== overtaking.process || from > overtaking.at) return false;
    if (kind === 'kill') return true;
    const pausedMs = Math.min(to, overtaking.at) - from;
    return to >= overtaking.enteredAt && pausedMs >= ttlMs / 2;
  });
}

async function findImmortalKeys(redis: Redis): Promise<string[]> {
  const keys = (await redis.keys('*')).filter((key) => key !== 'lockscope:reports');
  const ttls = await Promise.all(keys.map(async (key) => await redis.pttl(key)));
  return keys.filter((_, index) => ttls[index] === -1);
}
