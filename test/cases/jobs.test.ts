import { Queue, Worker, type WorkerOptions } from 'bullmq';
import { afterEach, describe, expect, it } from 'vitest';
import { startConsole } from '@/test/support/console';
import { alertsAbout, firing, onTime, resolved, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis();
const PATIENCE_MS = 60_000;
/** Long enough for the console to read who has the job. */
const LEASE_MS = 5_000;
/** Longer than a test: the worker's own renewal and its check for stalled jobs never come. */
const NEVER_MS = 600_000;
const WORKER = '0f0f0f0f-0000-4000-8000-000000000001';

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

const connection = () => ({ host: '127.0.0.1', port: at.redis.port });

/** A worker of BullMQ whose jobs last until `finish` is called. */
function startWorker(queue: string, options: Partial<WorkerOptions>) {
  const work = Promise.withResolvers<void>();
  const taken: string[] = [];
  const worker = new Worker(
    queue,
    async (job) => {
      taken.push(job.id ?? '');
      await work.promise;
    },
    { connection: connection(), ...options },
  );
  // A worker that lost its lock says so by an error, which without a listener would end the process.
  worker.on('error', () => undefined);
  ends.push(() => worker.close(true));
  ends.push(async () => work.resolve());
  return { taken, finish: work.resolve };
}

/** A job of a worker that does not renew its lock. Returns the lock's key. */
async function hungJob(name: string, id: string): Promise<string> {
  const queue = new Queue(name, { connection: connection() });
  ends.push(() => queue.close());
  const { taken } = startWorker(name, {
    lockDuration: LEASE_MS,
    lockRenewTime: NEVER_MS,
    skipStalledCheck: true,
  });
  await queue.add('work', {}, { jobId: id });
  await until('a worker has the job', () => taken.includes(id), PATIENCE_MS);
  return `bull:${name}:${id}:lock`;
}

const activeOf = (queue: string) => at.client.lrange(`bull:${queue}:active`, 0, -1);

const isFree = (key: string) =>
  seenAs(
    at.console,
    key,
    ({ state, lastEnd }) => state === 'free' && lastEnd !== null,
    PATIENCE_MS,
  );

describe('the lock of a job that runs out', () => {
  it('while the job is active is told, until another worker has the job', async () => {
    const { queue, key, alert } = await onTime(
      async (letter) => {
        const name = `reports-${letter}`;
        const lock = await hungJob(name, 'hung');
        const told = await firing(at.console, 'stalled-risk', lock, PATIENCE_MS);
        return { queue: name, key: lock, alert: told };
      },
      (seen) => seen.alert.evidence === 'observed',
    );
    expect(await activeOf(queue)).toEqual(['hung']);
    expect(alert).toMatchObject({ severity: 'warning', evidence: 'observed' });
    expect(alert.summary).toContain(`bull:${queue}:active still lists its work`);
    expect(alert.remedy).toContain('its event loop is free');
    const next = startWorker(queue, { stalledInterval: 500, maxStalledCount: 5 });
    await until('another worker has it', () => next.taken.includes('hung'), PATIENCE_MS);
    await resolved(at.console, 'stalled-risk', key);
    expect((await at.console.detail(key))?.state).toBe('held');
  }, 240_000);

  it('is over when the job has left the list', async () => {
    const key = await hungJob('letters', 'left');
    await firing(at.console, 'stalled-risk', key, PATIENCE_MS);
    await at.client.lrem('bull:letters:active', 0, 'left');
    await resolved(at.console, 'stalled-risk', key);
  }, 240_000);

  it('is none of a job that has ended, was removed, is another queue’s, or was renewed late', async () => {
    const token = `${WORKER}:1`;
    await at.client.rpush('bull:mail:active', 'other', 'late');
    await at.client.rpush('bull:mail-2:active', 'queued');
    const lapsing = ['bull:mail:ended:lock', 'bull:mail:removed:lock', 'bull:mail:queued:lock'];
    await at.client.rpush('bull:mail:active', 'removed');
    for (const key of lapsing) await at.client.set(key, token, 'PX', LEASE_MS);
    await at.client.set('bull:mail:late:lock', token, 'PX', 60_000);
    await at.client.lrem('bull:mail:active', 0, 'removed');
    await at.console.heldBy('bull:mail:late:lock', token);
    const leftMs = () => at.client.pttl('bull:mail:late:lock');
    await until('its renewal is overdue', async () => (await leftMs()) < 50_000, PATIENCE_MS);
    await at.client.set('bull:mail:late:lock', token, 'PX', NEVER_MS, 'XX');
    for (const key of lapsing) await isFree(key);
    await firing(at.console, 'stalled-risk', await hungJob('bills', 'real'), PATIENCE_MS);
    await at.console.heldBy('bull:mail:late:lock', token);
    for (const key of [...lapsing, 'bull:mail:late:lock']) {
      expect(await alertsAbout(at.console, 'stalled-risk', key)).toEqual([]);
    }
  }, 240_000);

  it('is told as unknown where the list may not be read, with what would allow it', async () => {
    await at.client.call(
      ...['ACL', 'SETUSER', 'blinkered', 'on', '>secret', '~*', '&*', '+@all', '-lpos'],
    );
    const url = `redis://blinkered:secret@127.0.0.1:${at.redis.port}`;
    const blinkered = await startConsole({ redisUrl: url, env: {} });
    ends.push(() => blinkered.stop());
    const key = await hungJob('secrets', 'unseen');
    const alert = await firing(blinkered, 'stalled-risk', key, PATIENCE_MS);
    expect(alert).toMatchObject({ evidence: 'unknown' });
    expect(alert.summary).toContain('whether bull:secrets:active still lists its work could not');
    expect(alert.remedy).toContain('read bull:secrets:active (LPOS');
  }, 240_000);
});
