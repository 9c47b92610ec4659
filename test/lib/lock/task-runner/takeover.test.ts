import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import { createTaskRunner, type TaskRunner } from '@/lib/lock/task-runner/index';
import { monitorCommands } from '@/test/support/monitor';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { bundleFleet, type Fleet, type Worker } from './worker-fleet';
import type { Job } from './worker-job';

let server: TestRedis;
let startFleet: () => Fleet;
let fleet: Fleet;
let redis: Redis;
let control: TaskRunner;
const TASKS = ['steps-a', 'steps-b', 'count-a', 'count-b'];

beforeAll(async () => {
  startFleet = await bundleFleet();
});
beforeEach(async () => {
  server = await startRedis();
  fleet = startFleet();
  redis = server.client();
  const client = createLockClient({ redis, allowInsecure: true });
  const tasks = Object.fromEntries(TASKS.map((name) => [name, { run: () => null }]));
  control = createTaskRunner({ client, redis, tasks });
});
afterEach(async () => {
  await fleet.stop();
  await control.close();
  await server.stop();
});

const jobOf = (job: Partial<Job> = {}): Job => ({
  port: server.port,
  tasks: TASKS,
  steps: 10,
  stepMs: 20,
  leaseMs: 1000,
  ...job,
});

/** The worker that runs this run now. */
async function runnerOf(workers: Worker[], task: string, id: string): Promise<[Worker, Worker]> {
  return await until(`${task} ${id} runs`, () => {
    const running = workers.find(({ said }) =>
      said.some(([word, t, i]) => word === 'begun' && t === task && i === id),
    );
    const other = workers.find((worker) => worker !== running);
    return running && other ? [running, other] : null;
  });
}

it('is continued by another process from its last checkpoint after kill -9', async () => {
  const workers = [
    await fleet.start(jobOf({ steps: 150 })),
    await fleet.start(jobOf({ steps: 150 })),
  ];
  await control.trigger('count-a', null, { id: '1' });
  const [first, second] = await runnerOf(workers, 'count-a', '1');
  await first.says('kept', 'count-a', '1', '10');
  await first.kill();
  const last = Number(first.said.findLast(([word]) => word === 'kept')?.[3]);
  const next = Number((await second.says('write', 'count-a', '1'))[3]);
  // The kill may have come between what Redis kept and the line that tells of it.
  expect([last + 1, last + 2]).toContain(next);
  const status = await until('it is done', async () => {
    const seen = await control.status('count-a', '1');
    return seen?.state === 'done' ? seen : null;
  });
  expect(status).toMatchObject({ attempt: 1, takeovers: 1, acknowledged: 150, progress: 150 });
});

it('refuses a runner that was paused past its lease and woke up', async () => {
  const job = jobOf({ steps: 150, leaseMs: 400 });
  const workers = [await fleet.start(job), await fleet.start(job)];
  await control.trigger('steps-a', null, { id: '1' });
  const [first, second] = await runnerOf(workers, 'steps-a', '1');
  await first.says('kept', 'steps-a', '1', '5');
  first.child.kill('SIGSTOP');
  await second.says('kept', 'steps-a', '1');
  first.child.kill('SIGCONT');
  await first.says('lost', 'steps-a', '1');
  await second.says('done', 'steps-a', '1');
  // What Redis had kept when it was paused it may say afterwards.
  const kept = await until('all that was kept is said', () => {
    const said = fleet.heard('kept').map(([, , , step]) => Number(step));
    return said.length >= job.steps ? said : null;
  });
  expect(kept.toSorted((a, b) => a - b)).toEqual([...Array(job.steps).keys()]);
  const refused = first.said.filter(
    ([word, , , , , accepted]) => word === 'write' && accepted === '0',
  );
  expect(refused.length).toBeLessThanOrEqual(1);
  expect(await control.status('steps-a', '1')).toMatchObject({ state: 'done', acknowledged: 150 });
});

it('keeps a task to one process at a time and shares tasks out', async () => {
  const job = jobOf({ steps: 20, stepMs: 5, leaseMs: 10_000 });
  const workers = [await fleet.start(job), await fleet.start(job), await fleet.start(job)];
  for (const task of TASKS) {
    for (let i = 0; i < 5; i++) await control.trigger(task, null, { id: `${i}` });
  }
  for (const task of TASKS) {
    await until(
      `${task} is through`,
      async () => (await control.status(task, '4'))?.state === 'done',
    );
  }
  for (const task of TASKS) {
    const writes = await until(`all writes of ${task} are heard`, () => {
      const heard = fleet.heard('write').filter(([, name]) => name === task);
      return heard.length >= 100 ? heard : null;
    });
    expect(writes).toHaveLength(100);
    expect(writes.every(([, , , , , accepted]) => accepted === '1')).toBe(true);
  }
  expect(workers.flatMap(({ said }) => said.filter(([word]) => word === 'taken-over'))).toEqual([]);
});

/** The same numbers from 0 up to `n` each time, by a linear congruence. */
function randomNumbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * n);
  };
}

const shuffled = (n: number, random: (n: number) => number): number[] =>
  Array.from({ length: n }, (_, i) => ({ i, at: random(1000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ i }) => i);

/** Every acknowledgement that Redis accepted, as Redis itself tells: run key → their numbers. */
async function watchAcknowledgements(): Promise<Map<string, number[]>> {
  const accepted = new Map<string, number[]>();
  await monitorCommands(server, ({ words }) => {
    const [command, key = '', field, value] = words;
    if (command?.toLowerCase() !== 'hset' || field !== 'acknowledged') return;
    accepted.set(key, [...(accepted.get(key) ?? []), Number(value)]);
  });
  return accepted;
}

const KILLS = 110;
const PAUSES = 20;

it(`loses and doubles nothing in ${KILLS} kills and ${PAUSES} pauses: triggers, steps, acknowledgements`, async () => {
  const accepted = await watchAcknowledgements();
  const job = jobOf({ steps: 8, stepMs: 15, leaseMs: 600 });
  const workers = await Promise.all([0, 1, 2, 3, 4].map(async () => await fleet.start(job)));
  const random = randomNumbers(42);
  const triggered: [task: string, id: string][] = [];
  const kill = async (at: number): Promise<void> => {
    await pause(random(200));
    await workers[at]?.kill();
    workers[at] = await fleet.start(job);
  };
  const stop = async (at: number): Promise<void> => {
    workers[at]?.child.kill('SIGSTOP');
    await pause(750 + random(200));
    workers[at]?.child.kill('SIGCONT');
  };
  for (let kills = 0, pauses = 0; kills < KILLS; kills += 2) {
    for (const task of TASKS) {
      const id = `run-${kills}`;
      triggered.push([task, id]);
      // Twice, as a caller does who got no answer.
      await Promise.all([control.trigger(task, null, { id }), control.trigger(task, null, { id })]);
    }
    const [first = 0, second = 0, third = 0] = shuffled(workers.length, random);
    const harms = [kill(first), kill(second)];
    if (pauses < PAUSES && kills % 4 === 0) {
      pauses += 1;
      harms.push(stop(third));
    }
    await Promise.all(harms);
  }
  for (const [task, id] of triggered) {
    const status = await until(
      `${task} ${id} is done or failed`,
      async () => {
        const seen = await control.status(task, id);
        return seen?.state === 'done' || seen?.state === 'failed' ? seen : null;
      },
      120_000,
    );
    expect(status).toMatchObject({ state: 'done', attempt: 1, acknowledged: job.steps });
  }
  const told = await until('Redis has told of all', () => {
    const heard = [...accepted].filter(([key]) => key.startsWith('lockscope:task:run:'));
    const isOpen = heard.some(([, numbers]) => numbers.length < job.steps);
    return heard.length >= triggered.length && !isOpen ? heard : null;
  });
  expect(told).toHaveLength(triggered.length);
  for (const [, numbers] of told) expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const kept = fleet.heard('kept').map((words) => words.slice(1, 4).join(' '));
  expect(new Set(kept).size).toBe(kept.length);
  expect(fleet.heard('taken-over').length).toBeGreaterThan(KILLS / 10);
  expect(await redis.keys('lockscope:task:queue:*')).toEqual([]);
}, 900_000);
