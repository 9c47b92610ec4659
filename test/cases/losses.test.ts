import { describe, expect, it } from 'vitest';
import { startRedis } from '@/test/support/redis-server';
import { startConsole } from '@/test/support/console';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

describe('an eviction', () => {
  const at = watchedRedis();

  it('is warned of before, and ends the hold as evicted', async () => {
    await at.client.config('SET', 'maxmemory-policy', 'volatile-lru');
    await at.client.set('lock:evict', 'tok', 'PX', 600_000);
    const used = Number(/used_memory:(\d+)/.exec(await at.client.info('memory'))?.[1]);
    await at.client.config('SET', 'maxmemory', `${used + 1_000_000}`);
    const target = await until('the risk is a warning', async () =>
      (await at.console.query('targets')).find(({ warnings }) =>
        warnings.some(({ code }) => code === 'eviction-risk'),
      ),
    );
    const risk = target.warnings.find(({ code }) => code === 'eviction-risk');
    expect(`${risk?.message} ${risk?.remedy}`).toContain('volatile-lru');

    const filler = 'x'.repeat(10_000);
    for (let i = 0; i < 2000 && (await at.client.exists('lock:evict')); i++) {
      await at.client.set(`cache:${i}`, filler).catch(() => undefined);
    }
    await at.client.config('SET', 'maxmemory', '0');
    const detail = await until('the hold has ended', async () => {
      const found = await at.console.detail('lock:evict');
      return found?.state === 'free' ? found : undefined;
    });
    expect(detail.holds[0]?.endReason).toBe('evicted');
    const alert = await until('evicted fires', async () => (await at.console.alerts('evicted'))[0]);
    expect(alert.severity).toBe('critical');
    expect(alert.remedy).toMatch(/maxmemory-policy|noeviction/);
  });
});

describe('a flushed database', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_DBS: '0,1' } });

  it('makes its locks vanish in one incident', async () => {
    await at.client.set('lock:1', 'a', 'PX', 600_000);
    await at.client.set('lock:2', 'b', 'PX', 600_000);
    await at.console.heldBy('lock:1', 'a');
    await at.console.heldBy('lock:2', 'b');
    await at.client.flushdb();
    for (const key of ['lock:1', 'lock:2']) {
      const detail = await until(`${key} has ended`, async () => {
        const found = await at.console.detail(key);
        return found?.state === 'free' ? found : undefined;
      });
      expect(detail.holds[0]?.endReason).toBe('vanished');
    }
    const alert = await until('one grouped alert', async () =>
      (await at.console.alerts('vanished')).find(({ count }) => count === 2),
    );
    expect(alert.subject.locks.map(({ key }) => key).sort()).toEqual(['lock:1', 'lock:2']);
    expect((await at.console.alerts('vanished')).length).toBe(1);
  });

  it('makes them vanish after SWAPDB as well', async () => {
    await at.client.set('lock:swapped', 'a', 'PX', 600_000);
    await at.console.heldBy('lock:swapped', 'a');
    await at.client.swapdb(0, 1);
    const detail = await until('it has left db 0', async () => {
      const found = await at.console.detail('lock:swapped');
      return found?.state === 'free' ? found : undefined;
    });
    expect(detail.holds[0]?.endReason).not.toBe('released');
  });
});

describe('a cut subscription', () => {
  const at = watchedRedis();

  it('is a gap, and what happened in it is marked and kept out of percentiles', async () => {
    await at.client.set('lock:g1', 'A', 'PX', 600_000);
    const held = await at.console.heldBy('lock:g1', 'A');
    await at.client
      .pipeline()
      .call('CLIENT', 'KILL', 'TYPE', 'PUBSUB')
      .del('lock:g1')
      .set('lock:g2', 't', 'PX', 600_000)
      .exec();
    const ended = await until('g1 has ended', async () => {
      const found = await at.console.detail('lock:g1');
      return found?.state === 'free' ? found : undefined;
    });
    expect(ended.holds[0]?.notes).toContain('ended-in-gap');
    const started = await until('g2 is held', async () => {
      const found = await at.console.lock('lock:g2');
      return found?.hold ? found : undefined;
    });
    expect(started.hold?.notes).toContain('started-in-gap');

    const gap = await until('the gap is recorded', async () =>
      (await at.console.query('targets'))[0]?.nodes[0]?.gaps.find(({ to }) => to !== null),
    );
    expect(gap.reason).toBe('connection-lost');
    expect(gap.to).toBeGreaterThan(gap.from);
    const classes = await at.console.query('classes');
    const ofG1 = classes.items.find((item) => item.class === held.class);
    expect(ofG1?.holdMs.count ?? 0).toBe(0);
  });
});

describe('a Redis that restarts empty', () => {
  it('is a gap of that reason, and its locks did not end by release', async () => {
    const first = await startRedis();
    const console = await startConsole({ redisUrl: first.url });
    try {
      await first.client().set('lock:gone', 'A', 'PX', 600_000);
      await console.heldBy('lock:gone', 'A');
      await first.kill();
      await until('the loss is known', async () =>
        (await console.query('targets'))[0]?.nodes.every(({ connected }) => !connected),
      );
      const blind = await until('blind fires', async () =>
        (await console.alerts('blind')).find(({ state }) => state === 'firing'),
      );
      const second = await startRedis({ port: first.port });
      try {
        const detail = await until('it has ended', async () => {
          const found = await console.detail('lock:gone');
          return found?.state === 'free' ? found : undefined;
        });
        expect(['vanished', 'unknown', 'lost-in-failover']).toContain(detail.holds[0]?.endReason);
        const gaps = (await console.query('targets'))[0]?.nodes[0]?.gaps ?? [];
        expect(gaps.map(({ reason }) => reason)).toContain('server-restarted');
        await until('blind resolves', async () =>
          (await console.alerts('blind')).some(
            ({ id, state }) => id === blind.id && state === 'resolved',
          ),
        );
      } finally {
        await second.stop();
      }
    } finally {
      await console.stop();
      await first.stop();
    }
  });
});
