import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createConfigFeed,
  createConfigReader,
  readConfigStatus,
} from '@/lib/lock/hot-config/index';
import { createConfigWorld, type ConfigWorld } from '@/test/lib/lock/hot-config/config-world';
import { marked, type Marked } from '@/test/lib/lock/hot-config/marked';
import { pause } from '@/test/support/pause';
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

const REFUSED = expect.objectContaining({ code: 'CONTENT_REFUSED' });
const isMarked = (content: unknown): content is Marked =>
  typeof content === 'object' && content !== null && 'mark' in content;

/** Refuses what has an odd mark. */
function even(content: unknown): Marked {
  if (isMarked(content) && content.mark % 2 === 0) return content;
  throw new Error('the mark is odd');
}

describe('a version that fails validation', () => {
  it('is kept out and told, and the last good one stays', async () => {
    const told: number[] = [];
    const reader = world.reader('kept-out', {
      validate: even,
      onRefused: ({ version }) => told.push(version),
    });
    const writer = world.writer('kept-out');
    const good = await writer.replace(marked(2));
    await reader.waitFor(good.version);
    const bad = await writer.replace(marked(3));
    await expect(reader.waitFor(bad.version)).rejects.toThrow('the mark is odd');
    expect(reader.current).toEqual(good);
    expect(reader.refused).toMatchObject({ version: bad.version, error: REFUSED });
    expect(told).toEqual([bad.version]);
    const next = await writer.replace(marked(4));
    expect(await reader.waitFor(bad.version)).toEqual(next);
    expect(reader.refused).toBeNull();
  });

  it('is told to one who starts with it', async () => {
    await world.writer('bad-start').replace(marked(1));
    const reader = world.reader('bad-start', { validate: even });
    await expect(reader.ready()).rejects.toThrow(REFUSED);
    expect(reader.current).toBeNull();
  });

  it('is judged once, however often it is seen', async () => {
    let judged = 0;
    const reader = world.reader('once', {
      checkMs: 100,
      validate: (content) => {
        judged += 1;
        return even(content);
      },
    });
    await world.writer('once').replace(marked(1));
    await until('it was refused', () => reader.refused);
    await pause(350);
    expect(judged).toBe(1);
  });

  it('that is no JSON is kept out like any other', async () => {
    const reader = world.reader('no-json', { checkMs: 100 });
    const writer = world.writer('no-json');
    const good = await writer.replace(marked(2));
    await reader.waitFor(good.version);
    await world.redis.hset(writer.key, { version: good.version + 1, content: '{"mark":' });
    await until('it was refused', () => reader.refused);
    expect(reader.current).toEqual(good);
  });
});

describe('while the next version is made ready', () => {
  it('the present one serves, and the newest follows', async () => {
    const gates: (() => void)[] = [];
    const prepared: number[] = [];
    const reader = world.reader('gate', {
      validate: async (content) => {
        if (!isMarked(content)) throw new Error('strange');
        prepared.push(content.mark);
        if (content.mark > 1) await new Promise<void>((resolve) => gates.push(resolve));
        return content;
      },
    });
    const writer = world.writer('gate');
    const first = await writer.replace(marked(1));
    await reader.waitFor(first.version);
    for (const mark of [2, 3, 4]) await writer.replace(marked(mark));
    await until('2 is being prepared', () => gates.length === 1);
    await until('4 was heard', async () => (await world.redis.ping()) === 'PONG');
    await pause(50);
    expect(reader.current?.content.mark).toBe(1);
    gates[0]?.();
    await until('4 is being prepared', () => gates.length === 2);
    expect(reader.current?.content.mark).toBe(2);
    gates[1]?.();
    await until('4 is in force', () => reader.current?.content.mark === 4);
    expect(prepared).toEqual([1, 2, 4]);
  });
});

describe('one who waits', () => {
  it('gives up by a signal, whose reason is the cause', async () => {
    const reader = world.reader('signal');
    await reader.ready();
    const controller = new AbortController();
    const waiting = reader.waitFor(1, { signal: controller.signal });
    controller.abort('enough');
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
    const signal = AbortSignal.abort();
    await expect(reader.waitFor(1, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('hears that the reader was closed', async () => {
    const reader = world.reader('closed');
    const waiting = expect(reader.waitFor(1)).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    reader.close();
    reader.close();
    await waiting;
    await expect(reader.ready()).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });

  it('is told of changes until it stops listening', async () => {
    const reader = world.reader('listen');
    const heard: (number | undefined)[][] = [];
    const stop = reader.onChange((now, before) =>
      heard.push([before?.content.mark, now.content.mark]),
    );
    const writer = world.writer('listen');
    await writer.replace(marked(1));
    const second = await writer.replace(marked(2));
    await reader.waitFor(second.version);
    stop();
    const third = await writer.replace(marked(3));
    await reader.waitFor(third.version);
    expect(heard).toEqual([
      [undefined, 1],
      [1, 2],
    ]);
  });
});

describe('a feed', () => {
  it('refuses checks too often, empty names, and readers after its end', async () => {
    const { redis } = world;
    const BAD_OPTIONS = expect.objectContaining({ code: 'BAD_OPTIONS' });
    expect(() => createConfigFeed({ redis, checkMs: 10 })).toThrow(BAD_OPTIONS);
    expect(() => createConfigFeed({ redis, checkMs: Number.NaN })).toThrow(BAD_OPTIONS);
    const feed = createConfigFeed({ redis });
    const CLOSED = expect.objectContaining({ code: 'CLIENT_CLOSED' });
    expect(() => feed.reader({ name: '' })).toThrow(expect.objectContaining({ code: 'EMPTY_KEY' }));
    feed.close();
    expect(() => feed.reader({ name: 'a' })).toThrow(CLOSED);
  });

  it('says what is wrong, and that it is well again', async () => {
    const feed = createConfigFeed({ redis: world.redis, checkMs: 100 });
    const reader = feed.reader({ name: 'problem' });
    await reader.ready();
    await world.redis.set(reader.key, 'no hash');
    await until('it says so', () => feed.problem?.code === 'WRONG_TYPE');
    await world.redis.del(reader.key);
    await until('it is well', () => feed.problem === null);
    feed.close();
  });

  it('leaves no connection behind', async () => {
    const listening = async (): Promise<number> => {
      const list = await world.redis.client('LIST', 'TYPE', 'PUBSUB');
      return `${list}`.split('\n').filter(Boolean).length;
    };
    await until('those of other tests are gone', async () => (await listening()) === 0);
    const readers = Array.from({ length: 5 }, () =>
      createConfigReader({ redis: world.redis, name: 'leak' }),
    );
    await Promise.all(readers.map((reader) => reader.ready()));
    expect(await listening()).toBe(5);
    for (const reader of readers) reader.close();
    await until('they are gone', async () => (await listening()) === 0);
  });
});

describe('who has which version', () => {
  const status = async (name: string) => await readConfigStatus({ redis: world.redis, name });

  it('is nobody and nothing at first', async () => {
    expect(await status('nothing')).toMatchObject({
      version: null,
      at: null,
      readers: { total: 0, current: 0, behind: [] },
    });
  });

  it('is shown for those who acknowledge, those behind by name', async () => {
    const acknowledge = (as: string) => ({ acknowledge: { as, withinMs: 10 }, checkMs: 1000 });
    const good = world.reader('seen', acknowledge('a'));
    const choosy = world.reader('seen', { ...acknowledge('b'), validate: even });
    const writer = world.writer('seen');
    const first = await writer.replace(marked(2), { businessId: 'CHG-1' });
    await Promise.all([good, choosy].map((reader) => reader.waitFor(first.version)));
    await until('both are shown', async () => (await status('seen')).readers.current === 2);
    const second = await writer.replace(marked(3));
    await good.waitFor(second.version);
    await until('one is ahead', async () => (await status('seen')).readers.current === 1);
    expect(await status('seen')).toEqual({
      key: writer.key,
      version: second.version,
      at: second.at,
      businessId: null,
      readers: { total: 2, current: 1, behind: [{ reader: 'b', version: first.version }] },
    });
  });

  it('forgets those who are gone', async () => {
    const acknowledge = { withinMs: 10 };
    const gone = world.reader('gone', {
      acknowledge: { as: 'gone', ...acknowledge },
      checkMs: 100,
    });
    const writer = world.writer('gone');
    const written = await writer.replace(marked(1));
    await gone.waitFor(written.version);
    await until('it is shown', async () => (await status('gone')).readers.total === 1);
    gone.close();
    const here = world.reader('gone', {
      acknowledge: { as: 'here', ...acknowledge },
      checkMs: 100,
    });
    await here.ready();
    await until('one alone is shown', async () => {
      const { readers } = await status('gone');
      return readers.total === 1 && readers.current === 1;
    });
  });

  it('counts a process with several readers as far as its slowest', async () => {
    const acknowledge = { as: 'process', withinMs: 10 };
    const feed = createConfigFeed({ redis: world.redis, acknowledge, checkMs: 100 });
    const fast = feed.reader({ name: 'slowest' });
    const choosy = feed.reader({ name: 'slowest', validate: even });
    const writer = world.writer('slowest');
    const first = await writer.replace(marked(2));
    await Promise.all([fast, choosy].map((reader) => reader.waitFor(first.version)));
    const second = await writer.replace(marked(3));
    await fast.waitFor(second.version);
    await until('it is behind', async () => {
      const { readers } = await status('slowest');
      return readers.behind[0]?.version === first.version;
    });
    feed.close();
  });
});
