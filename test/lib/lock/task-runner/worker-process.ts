import { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import { createTaskRunner, type TaskDefinition } from '@/lib/lock/task-runner/index';
import { pause } from '@/test/support/pause';
import { FENCED_WRITE, type Job } from './worker-job';

// A process that runs tasks until it is killed, and says on its output what it does:
// `begun <task> <id> <attempt> <takeovers>`, `write <task> <id> <step> <fence> <accepted>`, `kept <task> <id> <step> <fence>`,
// `<event> <task> <id>` for what the runner tells.
const job = JSON.parse(process.argv[2] ?? '') as Job;
const say = (...words: (string | number)[]): void =>
  void process.stdout.write(`${words.join(' ')}\n`);
const redis = new Redis({ port: job.port });
const client = createLockClient({ redis, allowInsecure: true });

/** Every step writes to a resource that refuses a fence smaller than one it has seen. */
async function write(task: string, id: string, step: number, fence: number): Promise<void> {
  const accepted = Number(await redis.eval(FENCED_WRITE, 1, `resource:${task}`, fence));
  say('write', task, id, step, fence, accepted);
  await pause(job.stepMs);
}

/** Killed again and again, a run is not to be given up. */
const MOST_TAKEOVERS = 1_000;

const bySteps: TaskDefinition = {
  takeovers: MOST_TAKEOVERS,
  run: async (run) => {
    say('begun', run.task, run.id, run.attempt, run.takeovers);
    for (let step = 0; step < job.steps; step++) {
      let ran = false;
      await run.step(`${step}`, async ({ fence }) => {
        ran = true;
        await write(run.task, run.id, step, fence);
      });
      if (ran) say('kept', run.task, run.id, step, run.fence);
    }
  },
};

const byCheckpoints: TaskDefinition = {
  takeovers: MOST_TAKEOVERS,
  run: async (run) => {
    say('begun', run.task, run.id, run.attempt, run.takeovers);
    for (let step = Number(run.progress ?? 0); step < job.steps; step++) {
      await write(run.task, run.id, step, run.fence);
      await run.checkpoint(step + 1);
      say('kept', run.task, run.id, step, run.fence);
    }
  },
};

const runner = createTaskRunner({
  client,
  redis,
  leaseMs: job.leaseMs,
  tasks: Object.fromEntries(
    job.tasks.map((name) => [name, name.startsWith('steps') ? bySteps : byCheckpoints]),
  ),
});
runner.on(({ event, task, id, error }) => say(event, task ?? '-', id ?? '-', String(error ?? '')));
await runner.start();
say('ready');
