import { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import { createTaskRunner } from '@/lib/lock/task-runner/index';
import { pause } from '@/test/support/pause';
import { STEP_MS, TASK } from './count-task';

// Counts without end, a checkpoint a step, and says `<step> <fence>` when a step begins.
const redis = new Redis({ port: Number(process.argv[2]) });
const runner = createTaskRunner({
  client: createLockClient({ redis, allowInsecure: true }),
  redis,
  tasks: {
    [TASK]: {
      run: async (run) => {
        for (let step = Number(run.progress ?? 0); ; step++) {
          process.stdout.write(`${step} ${run.fence}\n`);
          await pause(STEP_MS);
          await run.checkpoint(step + 1);
        }
      },
    },
  },
});
await runner.start();
