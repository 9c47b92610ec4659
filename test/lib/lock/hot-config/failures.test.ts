import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createConfigReader, createConfigWriter } from '@/lib/lock/hot-config/index';
import { createLockClient } from '@/lib/lock/index';
import { createConfigWorld, type ConfigWorld } from '@/test/lib/lock/hot-config/config-world';
import { isWhole, marked, type Marked } from '@/test/lib/lock/hot-config/marked';
import { startSilencer } from '@/test/lib/lock/hot-config/silencer';
import { createWriterFleet, type WriterFleet } from '@/test/lib/lock/hot-config/writer-fleet';
import { freePort } from '@/test/support/free-port';
import { pause } from '@/test/support/pause';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

describe('writers in processes of their own', () => {
  let world: ConfigWorld;
  let fleet: WriterFleet;
  beforeAll(async () => {
    world = await createConfigWorld();
    fleet = await createWriterFleet(world.server.port);
  });
  afterEach(async () => {
    await fleet.stop();
    await world.reset();
  });
  afterAll(async () => {
    await world.stop();
  });

  it('lose nothing that was acknowledged and tear nothing, wherever they are killed', async () => {
    const kills = 25;
    const reader = world.reader('kill', { checkMs: 200 });
    const wrong: unknown[] = [];
    reader.onChange((now, before) => {
      if (!isWhole(now.content)) wrong.push(now);
      if (before && (now.version <= before.version || now.content.mark <= before.content.mark)) {
        wrong.push([before, now]);
      }
    });
    const writers = [fleet.start('kill', 0), fleet.start('kill', 0)];
    for (let kill = 0; kill < kills; kill++) {
      const victim = writers[kill % 2];
      await until(
        'it has changed something',
        () => victim?.said.some(([word]) => word === 'done'),
        60_000,
      );
      await pause((kill * 7) % 23);
      await victim?.kill();
      writers[kill % 2] = fleet.start('kill', 0);
      writers.push(...(victim ? [victim] : []));
    }
    await fleet.stop();
    const acknowledged = writers.flatMap(({ said }) => said.filter(([word]) => word === 'done'));
    const marks = acknowledged.map(([, , mark]) => Number(mark));
    expect(new Set(marks).size).toBe(marks.length);
    const end = await world.writer('kill').change((current) => marked((current?.mark ?? 0) + 1));
    await reader.waitFor(end.version);
    // A change may be made and its acknowledgement die with the process: at most one for each kill.
    expect(end.content.mark).toBeGreaterThan(Math.max(...marks));
    expect(end.content.mark).toBeLessThanOrEqual(marks.length + kills + 3);
    expect(wrong).toEqual([]);
  }, 600_000);

  it('are refused when they were paused past their lease and another one wrote', async () => {
    const paused = fleet.start('paused', 1_500);
    await until('it edits', () => paused.said.at(-1)?.[0] === 'editing');
    paused.child.kill('SIGSTOP');
    const said = paused.said.length;
    const other = await world.writer('paused').replace(marked(1000));
    paused.child.kill('SIGCONT');
    await until('it was told', () => paused.said.length > said);
    expect(paused.said[said]).toEqual(['refused', 'LOST']);
    const next = await until('it changed what the other wrote', () =>
      paused.said.find(([word]) => word === 'done'),
    );
    expect(Number(next[1])).toBeGreaterThan(other.version);
    expect(Number(next[2])).toBe(1001);
  });

  it('are refused when they were paused past their lease, even if nobody wrote since', async () => {
    const paused = fleet.start('alone', 1_500);
    await until('it edits', () => paused.said.at(-1)?.[0] === 'editing');
    paused.child.kill('SIGSTOP');
    const said = paused.said.length;
    await until(
      'its lease is over',
      async () => (await world.redis.exists('qoder:lock:config:alone')) === 0,
    );
    paused.child.kill('SIGCONT');
    await until('it was told', () => paused.said.length > said);
    expect(paused.said[said]).toEqual(['refused', 'LOST']);
  });
});

describe('a Redis that ends and starts again', () => {
  const closes: (() => Promise<unknown> | void)[] = [];
  const servers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of [...closes.splice(0), ...servers.splice(0)]) await close();
  });

  async function world(port: number) {
    const folder = await mkdtemp(join(tmpdir(), 'lockscope-config-'));
    servers.push(() => rm(folder, { recursive: true, force: true }));
    const kept = ['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'];
    const start = async (keeps: boolean) => {
      const server = await startRedis({ port, args: keeps ? kept : [] });
      servers.unshift(server.stop);
      return server;
    };
    const server = await start(true);
    const connect = () => {
      const redis = server.client({ retryStrategy: () => 50, maxRetriesPerRequest: null });
      redis.on('error', () => {
        // It ends on purpose; the reader's problem says so.
      });
      return redis;
    };
    const redis = connect();
    const client = createLockClient({ redis, allowInsecure: true, ttlMs: 10_000 });
    closes.push(() => client.close());
    const reader = createConfigReader<Marked>({ redis: connect(), name: 'restart' });
    closes.push(() => reader.close());
    const writer = createConfigWriter<Marked>({ client, redis, name: 'restart' });
    return { server, start, reader, writer };
  }

  it.each([
    ['with its data', true],
    ['without its data', false],
  ])(
    '%s leaves readers with what they had, and reaches them with what follows',
    async (_, keeps) => {
      const { server, start, reader, writer } = await world(await freePort());
      const before = await writer.replace(marked(1));
      await reader.waitFor(before.version);
      await server.kill();
      expect(reader.current).toEqual(before);
      await start(keeps);
      const after = await writer.replace(marked(2));
      expect(after.version).toBeGreaterThan(before.version);
      expect((await reader.waitFor(after.version)).content.mark).toBe(2);
    },
  );
});

describe('a connection that dies without a sign', () => {
  it('is made anew when it left a check unanswered', async () => {
    const server = await startRedis();
    const proxy = await startSilencer(server.port);
    const redis = server.client();
    const client = createLockClient({ redis, allowInsecure: true });
    const writer = createConfigWriter<Marked>({ client, redis, name: 'silent' });
    const reader = createConfigReader<Marked>({
      redis: server.client({ port: proxy.port }),
      name: 'silent',
      checkMs: 1_000,
    });
    try {
      await reader.ready();
      proxy.silence();
      const unheard = await writer.replace(marked(1));
      await until('it was silent', () => proxy.swallowed > 0);
      expect(reader.current).toBeNull();
      let mark = 1;
      const heard = await until('it hears again', async () => {
        await writer.replace(marked(++mark));
        return reader.current;
      });
      expect(heard.version).toBeGreaterThan(unheard.version);
      expect(proxy.opened).toBeGreaterThan(2);
    } finally {
      reader.close();
      await client.close();
      proxy.stop();
      await server.stop();
    }
  });
});

describe('replicas below replicas', () => {
  it('hand changes on, whole and in order, to readers that listen there', async () => {
    const atOnce = ['--repl-diskless-sync-delay', '0'];
    const main = await startRedis({ args: atOnce });
    const replicaOf = async (port: number) =>
      await startRedis({ args: [...atOnce, '--replicaof', '127.0.0.1', `${port}`] });
    const first = await replicaOf(main.port);
    const second = await replicaOf(first.port);
    const redis = main.client();
    const client = createLockClient({ redis, allowInsecure: true });
    const writer = createConfigWriter<Marked>({ client, redis, name: 'tree' });
    const leaf = second.client();
    await until(
      'the replicas stand',
      async () => /master_link_status:up/.test(await leaf.info()),
      60_000,
    );
    const reader = createConfigReader<Marked>({ redis: leaf, name: 'tree', checkMs: 60_000 });
    try {
      await reader.ready();
      for (const length of [20, 20_000]) {
        const written = await writer.replace(marked(length, length));
        const read = await reader.waitFor(written.version, { signal: AbortSignal.timeout(60_000) });
        expect(isWhole(read.content)).toBe(true);
      }
    } finally {
      reader.close();
      await client.close();
      for (const server of [second, first, main]) await server.stop();
    }
  }, 300_000);
});
