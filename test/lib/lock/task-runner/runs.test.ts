import { describe, expect, it } from 'vitest';
import { until } from '@/test/support/until';
import { runnersUnderTest } from './runners-under-test';

const under = runnersUnderTest();

const sleep = async (ms: number): Promise<number> =>
  await new Promise((resolve) => setTimeout(() => resolve(ms), ms));

describe('a triggered task', () => {
  it('runs with its payload, and its result and steps are kept', async () => {
    const runner = under.runner({
      sum: {
        run: async (run) => {
          const [a, b] = run.payload as [number, number];
          const twice = await run.step('twice', () => (a + b) * 2);
          await run.checkpoint({ at: 'the end' });
          return { twice };
        },
      },
    });
    await runner.start();
    const { id, created } = await runner.trigger('sum', [1, 2]);
    expect(created).toBe(true);
    const status = await under.ended(runner, 'sum', id);
    expect(status).toMatchObject({
      task: 'sum',
      id,
      state: 'done',
      payload: [1, 2],
      attempt: 1,
      takeovers: 0,
      acknowledged: 2,
      progress: { at: 'the end' },
      steps: { twice: 6 },
      result: { twice: 6 },
      error: null,
    });
    expect(status.endedAt).toBeGreaterThanOrEqual(status.startedAt ?? Infinity);
    expect(status.startedAt).toBeGreaterThanOrEqual(status.triggeredAt);
  });

  it('runs once for an id, however often and from wherever it is triggered', async () => {
    let runs = 0;
    const tasks = { mail: { run: () => void (runs += 1) } };
    const [one, two] = [under.runner(tasks), under.runner(tasks)];
    await Promise.all([one.start(), two.start()]);
    const triggers = await Promise.all(
      [one, two, one, two].map(async (runner) => await runner.trigger('mail', null, { id: 'a' })),
    );
    expect(triggers.filter(({ created }) => created)).toHaveLength(1);
    await under.ended(one, 'mail', 'a');
    expect((await two.trigger('mail', null, { id: 'a' })).created).toBe(false);
    await one.trigger('mail', null, { id: 'b' });
    await under.ended(one, 'mail', 'b');
    expect(runs).toBe(2);
  });

  it('runs in the order of its triggers, one at a time over all runners', async () => {
    const begun: unknown[] = [];
    let running = 0;
    let most = 0;
    const tasks = {
      slow: {
        run: async (run: { payload: unknown }) => {
          begun.push(run.payload);
          most = Math.max(most, (running += 1));
          await sleep(5);
          running -= 1;
        },
      },
    };
    const runners = Array.from({ length: 4 }, () => under.runner(tasks));
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    for (const n of numbers) await runners[n % 4]?.trigger('slow', n, { id: `${n}` });
    await Promise.all(runners.map(async (runner) => await runner.start()));
    await under.ended(runners[0]!, 'slow', '39');
    expect(begun).toEqual(numbers);
    expect(most).toBe(1);
  });

  it('lets different tasks run side by side in one process', async () => {
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    const runner = under.runner({
      waits: { run: async () => await met },
      meets: { run: () => meet() },
    });
    await runner.start();
    await runner.trigger('waits', null, { id: '1' });
    await until('it waits', async () => (await runner.status('waits', '1'))?.state === 'running');
    await runner.trigger('meets', null, { id: '1' });
    await under.ended(runner, 'waits', '1');
  });

  it('is woken by its trigger', async () => {
    const runner = under.runner({ quick: { run: () => null } });
    await runner.start();
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      const { id } = await runner.trigger('quick');
      const { triggeredAt, startedAt } = await under.ended(runner, 'quick', id);
      waits.push((startedAt ?? Infinity) - triggeredAt);
    }
    // Looking every two seconds by itself, it would wait nearly that long for each.
    expect(waits.filter((ms) => ms < 1000).length).toBeGreaterThan(5);
  });

  it('costs a look every two seconds in each process while there is nothing to do', async () => {
    const runners = [1, 2, 3].map(() => under.runner({ idle: { run: () => null } }));
    await Promise.all(runners.map(async (runner) => await runner.start()));
    const looks = async (): Promise<number> =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await under.redis.info('commandstats'))?.[1] ?? 0);
    const [before, startedAt] = [await looks(), performance.now()];
    await until('four seconds pass', () => performance.now() > startedAt + 4100);
    const made = (await looks()) - before;
    const due = Math.ceil((performance.now() - startedAt) / 2000);
    // The look of its start may be under way still.
    expect(made).toBeLessThanOrEqual(3 * (due + 1));
  });

  it('is triggered by a process that runs nothing', async () => {
    const tasks = { work: { run: () => 'done here' } };
    const trigger = under.runner(tasks);
    const { id } = await trigger.trigger('work');
    expect((await trigger.status('work', id))?.state).toBe('waiting');
    await under.runner(tasks).start();
    expect((await under.ended(trigger, 'work', id)).result).toBe('done here');
    expect(trigger.events).toEqual([]);
  });
});

describe('a step', () => {
  it('may run beside others of its run, and its methods may be taken out of it', async () => {
    const runner = under.runner({
      wide: {
        run: async ({ step, checkpoint }) => {
          const parts = [3, 1, 2].map(async (ms) => await step(`${ms}`, () => sleep(ms)));
          await Promise.all(parts);
          await checkpoint('all');
        },
      },
    });
    await runner.start();
    const { id } = await runner.trigger('wide');
    expect(await under.ended(runner, 'wide', id)).toMatchObject({
      acknowledged: 4,
      steps: { 1: 1, 2: 2, 3: 3 },
      progress: 'all',
    });
  });

  it('is not acknowledged when its attempt ended before it did', async () => {
    const { promise: goOn, resolve: end } = Promise.withResolvers<string>();
    const late = Promise.withResolvers<unknown>();
    const runner = under.runner({
      uneven: {
        backoffMs: 0,
        run: async ({ step, attempt }) => {
          if (attempt === 2) return await step('slow', () => 'by the second attempt');
          step('slow', async () => await goOn).catch(late.resolve);
          throw new Error('the other one failed');
        },
      },
    });
    await runner.start();
    const { id } = await runner.trigger('uneven');
    await until('the second attempt began', async () => {
      const status = await runner.status('uneven', id);
      return status?.attempt === 2;
    });
    end('by the first attempt');
    expect(await late.promise).toMatchObject({ code: 'LOST', fields: { reason: 'ended' } });
    expect((await under.ended(runner, 'uneven', id)).result).toBe('by the second attempt');
  });
});

describe('a task that fails', () => {
  it('is tried again from its last checkpoint and ends done', async () => {
    const seen: unknown[] = [];
    const runner = under.runner({
      shaky: {
        backoffMs: 20,
        run: async (run) => {
          seen.push(run.progress);
          await run.step('first', () => seen.push('first'));
          if (run.attempt === 1) {
            await run.checkpoint('half');
            throw new Error('the disk is full');
          }
          return run.attempt;
        },
      },
    });
    await runner.start();
    const { id } = await runner.trigger('shaky');
    const status = await under.ended(runner, 'shaky', id);
    expect(status).toMatchObject({ state: 'done', attempt: 2, result: 2, takeovers: 0 });
    expect(seen).toEqual([undefined, 'first', 'half']);
    expect(runner.events.map(({ event }) => event)).toContain('retrying');
  });

  it('waits longer before each attempt, and is failed with the last error after the last', async () => {
    const at: number[] = [];
    const runner = under.runner({
      broken: {
        attempts: 3,
        backoffMs: 100,
        run: () => {
          at.push(performance.now());
          throw new Error(`no. ${at.length}`);
        },
      },
    });
    await runner.start();
    const { id } = await runner.trigger('broken');
    const status = await under.ended(runner, 'broken', id);
    expect(status).toMatchObject({ state: 'failed', attempt: 3, error: 'Error: no. 3' });
    expect(at).toHaveLength(3);
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(95);
    expect(at[2]! - at[1]!).toBeGreaterThanOrEqual(195);
  });

  it('lets other runs go first while it waits for its next attempt', async () => {
    const order: string[] = [];
    const runner = under.runner({
      mixed: {
        backoffMs: 300,
        run: (run) => {
          order.push(`${run.id}.${run.attempt}`);
          if (run.id === 'bad' && run.attempt === 1) throw new Error('once');
        },
      },
    });
    await runner.trigger('mixed', null, { id: 'bad' });
    await runner.trigger('mixed', null, { id: 'good' });
    await runner.start();
    await under.ended(runner, 'mixed', 'bad');
    expect(order).toEqual(['bad.1', 'good.1', 'bad.2']);
  });

  it('fails when what it resolves with is no JSON', async () => {
    const runner = under.runner({ odd: { attempts: 1, run: () => 1n } });
    await runner.start();
    const { id } = await runner.trigger('odd');
    const status = await under.ended(runner, 'odd', id);
    expect(status.state).toBe('failed');
    expect(status.error).toContain('BigInt');
  });
});

describe('a task with an interval', () => {
  it('runs once at every multiple of it, however many runners there are', async () => {
    const ids: string[] = [];
    const tasks = { tick: { everyMs: 150, run: (run: { id: string }) => void ids.push(run.id) } };
    const runners = Array.from({ length: 3 }, () => under.runner(tasks));
    await Promise.all(runners.map(async (runner) => await runner.start()));
    await until('it ran eight times', () => ids.length >= 8);
    expect(new Set(ids).size).toBe(ids.length);
    const times = ids.map((id) => Number(id.replace('every:', '')));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.every((time) => time % 150 === 0)).toBe(true);
  });

  it('is not triggered again while its last run goes on', async () => {
    const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
    let begun = 0;
    const runner = under.runner({
      slow: {
        everyMs: 100,
        run: async () => {
          begun += 1;
          if (begun === 1) await goOn;
        },
      },
    });
    await runner.start();
    await until('it began', () => begun === 1);
    const [queue] = await under.redis.keys('lockscope:task:queue:*');
    const deadline = performance.now() + 500;
    await until('several intervals pass', () => performance.now() > deadline);
    expect(await under.redis.zcard(queue ?? '')).toBe(1);
    end();
    await until('it runs on', () => begun >= 3);
  });
});

describe('what is refused', () => {
  it('names a task that is not known', async () => {
    const runner = under.runner({ known: { run: () => null } });
    await expect(runner.trigger('unknown')).rejects.toMatchObject({
      code: 'BAD_OPTIONS',
      message: expect.stringContaining('known'),
    });
    await expect(runner.status('unknown', '1')).rejects.toMatchObject({ code: 'BAD_OPTIONS' });
  });

  it('names an option out of its bounds, and a task whose name would leave its slot', () => {
    const run = (): null => null;
    for (const [tasks, options] of [
      [{ a: { run, everyMs: 5 } }, {}],
      [{ a: { run, attempts: 0 } }, {}],
      [{ a: { run, backoffMs: -1 } }, {}],
      [{ 'a{b}': { run } }, {}],
      [{ '': { run } }, {}],
      [{ a: { run } }, { leaseMs: 20 }],
    ] as const) {
      expect(() => under.runner(tasks, options)).toThrow(
        expect.objectContaining({ code: 'BAD_OPTIONS' }),
      );
    }
  });

  it('names a payload that is no JSON', async () => {
    const runner = under.runner({ a: { run: () => null } });
    await expect(runner.trigger('a', { n: 1n })).rejects.toMatchObject({ code: 'BAD_OPTIONS' });
    await expect(runner.trigger('a', () => 1)).rejects.toMatchObject({ code: 'BAD_OPTIONS' });
  });

  it('names a step that is there twice in one run', async () => {
    const runner = under.runner({
      twice: {
        attempts: 1,
        run: async (run) => {
          await run.step('same', () => 1);
          await run.step('same', () => 2);
        },
      },
    });
    await runner.start();
    const { id } = await runner.trigger('twice');
    const status = await under.ended(runner, 'twice', id);
    expect(status).toMatchObject({ state: 'failed', steps: { same: 1 } });
    expect(status.error).toContain('Step same of twice is there twice');
  });
});
