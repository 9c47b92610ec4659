import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configKey, INLINE_LIMIT } from '@/lib/lock/hot-config/config-wire';
import { createConfigFeed, createConfigWriter } from '@/lib/lock/hot-config/index';
import { createConfigWorld, type ConfigWorld } from '@/test/lib/lock/hot-config/config-world';
import { isWhole, marked } from '@/test/lib/lock/hot-config/marked';
import { monitorCommands } from '@/test/support/monitor';
import { until } from '@/test/support/until';

let world: ConfigWorld;
beforeAll(async () => {
  world = await createConfigWorld();
});
afterEach(async () => {
  await world.reset();
});
afterAll(async () => {
  await world.stop();
});

async function listenersOf(key: string): Promise<number> {
  const [, count] = await world.redis.pubsub('NUMSUB', key);
  return Number(count);
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('a change', () => {
  it('reaches a reader whole, with the version that the writer was told', async () => {
    const reader = world.reader('plain');
    expect(await reader.ready()).toBeNull();
    const written = await world.writer('plain').replace(marked(1));
    const read = await reader.waitFor(written.version);
    expect(read).toEqual(written);
    expect(reader.current).toBe(read);
  });

  it('edits what stands there', async () => {
    const writer = world.writer('edit');
    await writer.replace(marked(1));
    const seen: unknown[] = [];
    const written = await writer.change((current) => {
      seen.push(current);
      return marked((current?.mark ?? 0) + 1);
    });
    expect(seen).toEqual([marked(1)]);
    expect(written.content.mark).toBe(2);
  });

  it('finds nothing there at first', async () => {
    const written = await world.writer('first').change((current) => marked(current ? 1 : 7));
    expect(written.content.mark).toBe(7);
  });

  it('makes greater versions, also when several are made in one millisecond', async () => {
    const writer = world.writer('grow');
    let last = 0;
    for (let mark = 0; mark < 50; mark++) {
      const { version } = await writer.replace(marked(mark));
      expect(version).toBeGreaterThan(last);
      last = version;
    }
  });

  it('makes greater versions also after Redis lost its data', async () => {
    const writer = world.writer('flush');
    const reader = world.reader('flush');
    const before = await writer.replace(marked(1));
    await reader.waitFor(before.version);
    await world.redis.flushall();
    const after = await writer.replace(marked(2));
    expect(after.version).toBeGreaterThan(before.version);
    expect((await reader.waitFor(after.version)).content.mark).toBe(2);
  });

  it('of content too long for a message is read by those who hear of it', async () => {
    const reader = world.reader('long', { checkMs: 60_000 });
    await reader.ready();
    const written = await world.writer('long').replace(marked(1, INLINE_LIMIT));
    const read = await reader.waitFor(written.version);
    expect(read.content.parts).toHaveLength(INLINE_LIMIT);
  });

  it('carries the business id it was made for', async () => {
    const writer = world.writer('business');
    await writer.replace(marked(1), { businessId: 'CHG-4711' });
    expect(await world.redis.hget(writer.key, 'business')).toBe('CHG-4711');
  });

  it('is refused where the writer’s validation refuses it, and nothing is published', async () => {
    const redis = world.redis;
    const writer = createConfigWriter<number>({
      client: world.client(),
      redis,
      name: 'validated',
      validate: (content) => {
        if (typeof content === 'number' && content > 0) return content;
        throw new Error('must be a number above 0');
      },
    });
    await writer.replace(1);
    expect(await codeOf(writer.replace(-1))).toBe('BAD_OPTIONS');
    expect(await redis.hget(writer.key, 'content')).toBe('1');
  });

  it('is refused for what JSON cannot say', async () => {
    const writer = createConfigWriter({ client: world.client(), redis: world.redis, name: 'json' });
    expect(await codeOf(writer.replace(undefined))).toBe('BAD_OPTIONS');
    expect(await codeOf(writer.replace(() => 1))).toBe('BAD_OPTIONS');
  });

  it('leaves a key alone that holds something else', async () => {
    const writer = world.writer('taken');
    await world.redis.set(writer.key, 'mine');
    expect(await codeOf(writer.replace(marked(1)))).toBe('WRONG_TYPE');
    expect(await world.redis.get(writer.key)).toBe('mine');
  });

  it('counts once when its call reaches Redis twice', async () => {
    const writer = world.writer('twice');
    const messages: string[] = [];
    const listener = world.server.client();
    await listener.subscribe(writer.key);
    listener.on('message', (_channel: string, message: string) => messages.push(message));
    const sent = await recordEvals(async (redis) => {
      await createConfigWriter({ client: world.client(), redis, name: 'twice' }).replace(marked(1));
    });
    const commit = sent.at(-1);
    const version = await world.redis.hget(writer.key, 'version');
    const again = await world.redis.call('EVALSHA', ...(commit ?? []));
    expect(again).toEqual([1, version, expect.any(String)]);
    await listener.ping();
    expect(messages).toHaveLength(1);
  });
});

/** What a connection sent by EVALSHA while `work` ran. */
async function recordEvals(
  work: (redis: ReturnType<ConfigWorld['server']['client']>) => Promise<void>,
): Promise<string[][]> {
  const redis = world.server.client();
  const sent: string[][] = [];
  const monitor = await monitorCommands(world.server, ({ words }) => {
    if (words[0]?.toLowerCase() === 'evalsha') sent.push(words.slice(1));
  });
  await work(redis);
  await monitor.end();
  return sent.filter((words) => words[2]?.startsWith('lockscope:config:'));
}

describe('several writers', () => {
  it('change one after the other, and none’s change is lost', async () => {
    const writers = Array.from({ length: 4 }, () => world.writer('race'));
    await Promise.all(
      writers.map(async (writer) => {
        for (let i = 0; i < 25; i++) {
          await writer.change((current) => marked((current?.mark ?? 0) + 1));
        }
      }),
    );
    const end = await world.writer('race').change((current) => current ?? marked(-1));
    expect(end.content).toEqual(marked(100));
  });

  it('are refused when their lock was taken away before they were done', async () => {
    const first = world.writer('stale');
    const before = await first.replace(marked(1));
    const stale = first.change(async (_current, lock) => {
      await world.redis.del(lock.key);
      await world.writer('stale').replace(marked(2));
      return marked(3);
    });
    expect(await codeOf(stale)).toBe('LOST');
    const reader = world.reader('stale');
    const now = await reader.ready();
    expect(now?.content.mark).toBe(2);
    expect(now?.version).toBeGreaterThan(before.version);
  });

  it('are refused when the lock is gone, though nobody else changed anything', async () => {
    const writer = world.writer('revoked');
    await writer.replace(marked(1));
    const stale = writer.change(async (_current, lock) => {
      await world.redis.del(lock.key);
      return marked(2);
    });
    expect(await codeOf(stale)).toBe('LOST');
    expect((await world.reader('revoked').ready())?.content.mark).toBe(1);
  });

  it('are refused when a greater fence has begun, though it has not written yet', async () => {
    const writer = world.writer('begun');
    await writer.replace(marked(1));
    const stale = writer.change(async (_current, lock) => {
      await world.redis.hset(writer.key, 'fence', lock.fence + 1);
      return marked(2);
    });
    await expect(stale).rejects.toMatchObject({ code: 'LOST', fields: { reason: 'superseded' } });
    expect((await world.reader('begun').ready())?.content.mark).toBe(1);
  });
});

describe('what readers see', () => {
  it('is never a mixture, never older than before, in 10,000 changes', async () => {
    const readers = Array.from({ length: 6 }, () => world.reader('torn', { checkMs: 100 }));
    await Promise.all(readers.map((reader) => reader.ready()));
    const torn: unknown[] = [];
    const backwards: unknown[] = [];
    const seen = readers.map(() => 0);
    readers.forEach((reader, i) => {
      let last = 0;
      reader.onChange((now, before) => {
        seen[i] = (seen[i] ?? 0) + 1;
        if (!isWhole(now.content)) torn.push(now);
        if (now.version <= last || (before && before.version >= now.version)) backwards.push(now);
        last = now.version;
      });
    });
    const writer = world.writer('torn');
    let last = { version: 0 };
    for (let mark = 1; mark <= 10_000; mark++) last = await writer.replace(marked(mark));
    await Promise.all(readers.map((reader) => reader.waitFor(last.version)));
    expect(torn).toEqual([]);
    expect(backwards).toEqual([]);
    expect(readers.map(({ current }) => current?.content.mark)).toEqual(readers.map(() => 10_000));
    for (const count of seen) expect(count).toBeGreaterThan(1000);
  }, 600_000);

  it('is the newest for one who joins late', async () => {
    const writer = world.writer('late');
    await writer.replace(marked(1));
    const written = await writer.replace(marked(2));
    expect(await world.reader('late').ready()).toEqual(written);
  });

  it('goes on after the connection that listens was cut', async () => {
    const reader = world.reader('cut', { checkMs: 60_000 });
    const writer = world.writer('cut');
    await reader.ready();
    await world.redis.client('KILL', 'TYPE', 'PUBSUB');
    const missed = await writer.replace(marked(1));
    expect((await reader.waitFor(missed.version)).content.mark).toBe(1);
    await until('it listens again', async () => (await listenersOf(reader.key)) === 1);
    const heard = await writer.replace(marked(2));
    expect((await reader.waitFor(heard.version)).content.mark).toBe(2);
  });

  it('catches up by version with what no message told', async () => {
    const reader = world.reader('silent', { checkMs: 100 });
    const writer = world.writer('silent');
    const first = await writer.replace(marked(1));
    await reader.waitFor(first.version);
    const version = first.version + 5;
    const content = JSON.stringify(marked(2));
    await world.redis.hset(writer.key, { version, at: first.at, content });
    expect((await reader.waitFor(version)).content.mark).toBe(2);
  });

  it('is what Redis says, not what a strange message says', async () => {
    const reader = world.reader('noise', { checkMs: 60_000 });
    const writer = world.writer('noise');
    const first = await writer.replace(marked(1));
    await reader.waitFor(first.version);
    for (const noise of ['', 'hello', '1', '1 1 {}', `${first.version} 1 {"mark":9}`]) {
      await world.redis.publish(writer.key, noise);
    }
    const second = await writer.replace(marked(2));
    expect((await reader.waitFor(second.version)).content.mark).toBe(2);
    expect(reader.refused).toBeNull();
  });

  it('shares one subscription among all readers of a feed', async () => {
    const feed = createConfigFeed({ redis: world.redis });
    const names = ['shared:a', 'shared:b'];
    const readers = Array.from({ length: 100 }, (_, i) => feed.reader({ name: `${names[i % 2]}` }));
    await Promise.all(readers.map((reader) => reader.ready()));
    const key = configKey('qoder:lock:config:shared:a');
    expect(await listenersOf(key)).toBe(1);
    const written = await world.writer('shared:a').replace(marked(1));
    await Promise.all(
      readers.filter((_, i) => i % 2 === 0).map((reader) => reader.waitFor(written.version)),
    );
    feed.close();
    await until('nobody listens', async () => (await listenersOf(key)) === 0);
  });
});
