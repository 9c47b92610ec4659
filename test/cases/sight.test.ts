import { describe, expect, it } from 'vitest';
import type { Target } from '@/lib/protocol/target';
import { startConsole, type TestConsole } from '@/test/support/console';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

async function targetWhere(
  console: TestConsole,
  what: string,
  matches: (target: Target) => boolean,
): Promise<Target> {
  return await until(what, async () => (await console.query('targets')).find(matches));
}

describe('another database', () => {
  const at = watchedRedis();

  it('is reported as not watched, and its locks appear once it is', async () => {
    const five = at.redis.client({ db: 5 });
    await five.set('lock:db5', 't', 'PX', 600_000);
    const target = await targetWhere(at.console, 'db 5 is missed', ({ unwatchedDbs }) =>
      unwatchedDbs.includes(5),
    );
    expect(target.warnings.map(({ code }) => code)).toContain('db-mismatch');
    expect(await at.console.lock('lock:db5', 5)).toBeUndefined();

    const both = await startConsole({ redisUrl: at.redis.url, env: { LOCKSCOPE_DBS: '0,5' } });
    try {
      const lock = await until('it is listed', async () => await both.lock('lock:db5', 5));
      expect(lock.db).toBe(5);
      await five.set('lock:db5:later', 't', 'PX', 600_000);
      await until('a later one is listed', async () => await both.lock('lock:db5:later', 5));
      expect((await both.query('targets'))[0]?.unwatchedDbs).toEqual([]);
    } finally {
      await both.stop();
    }
  });
});

describe('a user with few rights', () => {
  const at = watchedRedis({ redis: { password: 'root' } });
  const as = (user: string): string => `redis://${user}:pw@127.0.0.1:${at.redis.port}/0`;

  it('is told the exact channel rule that is missing, and heals without a restart', async () => {
    await at.client.call(
      ...['ACL', 'SETUSER', 'watcher', 'on', '>pw', 'resetchannels', '&__key*__:*'],
      ...['~*', '+@read', '+@pubsub', '+@connection'],
    );
    const console = await startConsole({ redisUrl: as('watcher') });
    try {
      const target = await targetWhere(console, 'it is blind', ({ warnings }) =>
        warnings.some(({ code }) => code === 'blind'),
      );
      const blind = target.warnings.find(({ code }) => code === 'blind');
      expect(blind?.remedy).toMatch(/&__key(event|space)@\*__:\*/);
      expect(target.nodes[0]?.canSee.acquire).toBe(false);
      expect(target.capabilities.pubsub).toBe(false);
      await at.client.call('ACL', 'SETUSER', 'watcher', '&__keyspace@*__:*', '&__keyevent@*__:*');
      const seeing = await targetWhere(console, 'it sees again', ({ warnings }) =>
        warnings.every(({ code }) => code !== 'blind'),
      );
      expect(seeing.capabilities.pubsub).toBe(true);
    } finally {
      await console.stop();
    }
  });

  it('lists locks without CONFIG, INFO, CLIENT and EVAL, and says why it cannot release', async () => {
    await at.client.call(
      ...['ACL', 'SETUSER', 'reader', 'on', '>pw', 'allchannels', '~*', '+@read', '+@pubsub'],
    );
    await at.client.set('lock:acl', 'A', 'PX', 600_000);
    const console = await startConsole({ redisUrl: as('reader') });
    try {
      const detail = await console.heldBy('lock:acl', 'A');
      expect(detail.canRelease).toBe(false);
      expect(detail.cannotReleaseBecause).toMatch(/eval/i);
      const answer = await console.release('lock:acl', {
        version: detail.hold?.version,
        reason: 'not allowed',
      });
      expect(answer.status).toBe(422);
      expect(await at.client.get('lock:acl')).toBe('A');
      const [target] = await console.query('targets');
      expect(target?.capabilities).toMatchObject({ config: false, info: false, eval: false });
    } finally {
      await console.stop();
    }
  });
});

describe('event flags', () => {
  const at = watchedRedis({ redis: { flags: '' } });
  const all = { acquire: true, release: true, lapse: true };
  const FLAGS: [string, Partial<Record<'acquire' | 'release' | 'lapse', boolean>>][] = [
    ['Ex', { acquire: false, release: false, lapse: true }],
    ['E$', { acquire: true, release: false, lapse: false }],
    ['KA', all],
    ['', { acquire: false, release: false, lapse: false }],
    ['KEAn', all],
  ];

  it.each(FLAGS)(
    '"%s" tells what becomes blind, and is noticed while running',
    async (flags, seen) => {
      await at.client.config('SET', 'notify-keyspace-events', flags);
      const target = await targetWhere(at.console, `canSee for "${flags}"`, ({ nodes }) =>
        Object.entries(seen).every(
          ([what, can]) => nodes[0]?.canSee[what as keyof typeof seen] === can,
        ),
      );
      const blind = target.warnings.find(({ code }) => code === 'blind');
      expect(blind === undefined).toBe(Object.values(seen).every(Boolean));
      expect(blind?.remedy ?? 'notify-keyspace-events').toContain('notify-keyspace-events');
    },
  );

  it.each(['', 'Ex'])('"%s" lets a release be known all the same', async (flags) => {
    await at.client.config('SET', 'notify-keyspace-events', flags);
    await targetWhere(at.console, 'it is blind', ({ nodes }) => nodes[0]?.canSee.release === false);
    const key = `lock:blind:${flags}`;
    await at.client.set(key, 'A', 'PX', 600_000);
    const { hold } = await at.console.heldBy(key, 'A');
    const answer = await at.console.release(key, { version: hold?.version, reason: 'unseen' });
    expect(answer.status).toBe(200);
    expect(await at.console.detail(key)).toMatchObject({
      state: 'free',
      hold: null,
      lastEnd: { reason: 'force-released', evidence: 'observed' },
    });
  });

  it('locks are still listed by the sweep while no event comes', async () => {
    await at.client.config('SET', 'notify-keyspace-events', '');
    await targetWhere(at.console, 'it is blind', ({ nodes }) => nodes[0]?.canSee.acquire === false);
    await at.client.set('lock:unseen', 'A', 'PX', 600_000);
    await until('it is found', async () => await at.console.lock('lock:unseen'));
    await at.client.config('SET', 'notify-keyspace-events', 'KEA');
  });
});
