import { fork, type ChildProcess } from 'node:child_process';
import { bundleChild } from '@/test/support/lock-fleet/bundle';
import { createCrowd, type Crowd } from '@/test/support/lock-fleet/crowd';
import { createRandom } from '@/test/support/lock-fleet/random';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

export interface CrowdSettings {
  way: 'semaphore' | 'readWrite' | 'multi';
  process: string;
  workers: number;
  locksPort: number;
  crowdPort: number;
  ttlMs: number;
  seed: number;
}

export interface CrowdPlan {
  way: CrowdSettings['way'];
  processes: number;
  workers: number;
  ttlMs: number;
  visits: number;
  kills: number;
}

export interface CrowdVerdict {
  visits: { [place: string]: number };
  accusations: string[];
  /** How the processes ended that nobody killed: exit codes. */
  ends: (number | null)[];
  /** Keys of the locks' Redis at the end, the instances and fencing counters aside. */
  leftKeys: string[];
}

/** Past it a run ends though it is not through, as one that stands still. */
const MOST_MS = 300_000;

interface Member {
  name: string;
  child: ChildProcess;
  ended: Promise<number | null>;
}

/** Lets processes visit a crowd until so many visits were made, killing some of them meanwhile. */
export async function crowdThrough(plan: CrowdPlan): Promise<CrowdVerdict> {
  const [locks, own, bundle] = await Promise.all([
    startRedis(),
    startRedis({ flags: '' }),
    bundleChild('crowd-child'),
  ]);
  const crowd = createCrowd(own.client());
  let started = 0;
  const start = (): Member => {
    const name = `p${++started}`;
    const { way, workers, ttlMs } = plan;
    const ports = { locksPort: locks.port, crowdPort: own.port };
    const settings: CrowdSettings = { way, workers, ttlMs, ...ports, process: name, seed: started };
    const child = fork(bundle.path, [JSON.stringify(settings)]);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { name, child, ended };
  };
  const members = Array.from({ length: plan.processes }, start);
  try {
    await killUntilDone({ plan, crowd, members, start });
    for (const { child } of members) child.send('end');
    const ends = await Promise.all(members.map(async ({ ended }) => await ended));
    // The killed ones' last leases and places in the queue.
    await pause(Math.max(plan.ttlMs, 1_500) + 500);
    return { ...(await crowd.read()), ends, leftKeys: await leftIn(locks) };
  } finally {
    for (const { child } of members) child.kill('SIGKILL');
    await Promise.all([locks.stop(), own.stop(), bundle.remove()]);
  }
}

async function killUntilDone(options: {
  plan: CrowdPlan;
  crowd: Crowd;
  members: Member[];
  start: () => Member;
}): Promise<void> {
  const { plan, crowd, members, start } = options;
  const random = createRandom(plan.visits);
  const endAt = Date.now() + MOST_MS;
  let kills = 0;
  while (Date.now() < endAt) {
    const { visits } = await crowd.read();
    const sum = Object.values(visits).reduce((total, count) => total + count, 0);
    if (sum >= plan.visits && kills >= plan.kills) return;
    if (kills < plan.kills && sum >= (plan.visits / (plan.kills + 1)) * (kills + 1)) {
      const index = random.between(0, members.length - 1);
      const victim = members[index];
      const killedAt = Date.now();
      victim?.child.kill('SIGKILL');
      await victim?.ended;
      // Two thirds of a lease are left when it is renewed; the rest of the room is for a busy machine.
      if (victim) await crowd.died(victim.name, killedAt + plan.ttlMs / 3);
      members[index] = start();
      kills++;
    }
    await pause(20);
  }
}

/** After a while: readers and permits of the killed ones go when somebody looks, or with the last lease. */
async function leftIn(locks: TestRedis): Promise<string[]> {
  const keys = await locks.client().keys('*');
  return keys
    .filter((key) => !/redisson_lock_token:|lockscope:(instance|reports)/.test(key))
    .sort();
}
