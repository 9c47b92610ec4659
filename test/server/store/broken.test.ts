import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { StoreHealth } from '@/server/store/store-contract';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { aHold, anAuditDraft } from './samples';
import { newDir, onBoth, openStore, server, SQLITE } from './store-under-test';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };

onBoth('a store that cannot be used', (place) => {
  it('is refused when a newer version wrote the database', async () => {
    const spot = await place.fresh();
    const store = spot.open();
    await store.start();
    await store.stop();
    await spot.behind('insert into schema_versions (version, applied_at) values (999, 0)');
    await expect(spot.open().start()).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining('version 999'),
    });
  });

  it('keeps its rows over a second start, and refuses calls before start and after stop', async () => {
    const spot = await place.fresh();
    const store = spot.open();
    await expect(store.writeHolds([aHold()])).rejects.toMatchObject(UNAVAILABLE);
    await store.start();
    await store.start();
    await store.writeHolds([aHold()]);
    await store.stop();
    await store.stop();
    await expect(store.holds({ limit: 1 })).rejects.toMatchObject(UNAVAILABLE);
    const again = spot.open();
    await again.start();
    expect(await again.holds({ limit: 1 })).toEqual([aHold()]);
    expect(again.health).toMatchObject({ ok: true, problem: null, kind: place.kind });
    expect(await until('the size is known', () => again.health.diskBytes)).toBeGreaterThan(1000);
  });
});

describe('a broken embedded database', () => {
  it('says that the disk is full, refuses writes, still reads, and recovers by itself', async () => {
    const spot = await SQLITE.fresh();
    const store = spot.open();
    const seen: StoreHealth[] = [];
    store.onHealthChange((health) => seen.push(health));
    await store.start();
    await store.writeHolds([aHold()]);
    // The limit that SQLite checks itself; SQLITE_FULL is the same as from a full disk.
    await sql`pragma max_page_count = 1`.execute(store.authDatabase.db);
    const fill = async () => {
      for (let i = 0; i < 50; i++) {
        const rows = Array.from({ length: 200 }, (_, n) =>
          aHold({ key: `${i}:${n}:${'x'.repeat(300)}` }),
        );
        await store.writeHolds(rows);
      }
    };
    await expect(fill()).rejects.toMatchObject(UNAVAILABLE);
    expect(store.health).toMatchObject({ ok: false, problem: expect.stringContaining('is full') });
    await expect(store.appendAudit(anAuditDraft())).rejects.toMatchObject(UNAVAILABLE);
    expect(await store.holds({ key: 'order_sync:1', limit: 1 })).toEqual([aHold()]);
    await sql`pragma max_page_count = 1000000`.execute(store.authDatabase.db);
    await until('healthy again', () => store.health.ok);
    await store.appendAudit(anAuditDraft());
    expect(seen.map(({ ok }) => ok)).toEqual([true, false, true]);
  });

  it.skipIf(!canMount())('recovers from a disk that really was full', async () => {
    const dataDir = await newDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', dataDir]);
    try {
      const store = openStore({ dataDir, databaseUrl: null });
      const seen: StoreHealth[] = [];
      store.onHealthChange((health) => seen.push(health));
      await store.start();
      const filler = join(dataDir, 'filler');
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${filler} bs=4k 2>/dev/null; true`]);
      await expect(
        (async () => {
          for (let i = 0; i < 200; i++)
            await store.writeHolds([aHold({ key: `${i}${'x'.repeat(4000)}` })]);
        })(),
      ).rejects.toMatchObject(UNAVAILABLE);
      expect(store.health.ok).toBe(false);
      // Room for a few bytes is none for rows: each look would find it well, and the next write broken again.
      await truncate(filler, (await stat(filler)).size - 200_000);
      // Long enough for it to have been tried again.
      await pause(4500);
      expect(store.health).toMatchObject({ ok: false, problem: expect.stringContaining('full') });
      await rm(filler);
      await until('healthy again', () => store.health.ok);
      await store.writeHolds([aHold()]);
      expect(await store.holds({ key: 'order_sync:1', limit: 1 })).toEqual([aHold()]);
      expect(seen.map(({ ok }) => ok)).toEqual([true, false, true]);
      await store.stop();
    } finally {
      execFileSync('umount', ['-l', dataDir]);
    }
  });

  it('notices that its folder was removed, refuses writes, still reads, and begins nothing new', async () => {
    const spot = await SQLITE.fresh();
    const store = spot.open();
    await store.start();
    await store.writeHolds([aHold()]);
    const away = `${spot.dataDir}.away`;
    await rename(spot.dataDir, away);
    await expect(store.appendAudit(anAuditDraft())).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining(spot.dataDir),
    });
    await expect(store.writeHolds([aHold({ key: 'b' })])).rejects.toMatchObject(UNAVAILABLE);
    expect(store.health.problem).toContain('was removed');
    expect(store.health.problem).toContain('restart');
    // Long enough for it to have been tried again.
    await pause(2500);
    expect(store.health).toMatchObject({ ok: false, problem: expect.stringContaining('restart') });
    expect(existsSync(spot.dataDir)).toBe(false);
    expect(await store.holds({ limit: 9 })).toEqual([aHold()]);
    await rename(away, spot.dataDir);
    await until('healthy again', () => store.health.ok);
    await store.writeHolds([aHold({ key: 'c' })]);
    const kept = await store.holds({ limit: 9 });
    expect(kept.map(({ key }) => key).toSorted()).toEqual(['c', 'order_sync:1']);
  });

  it('notices within seconds although nothing is written', async () => {
    const spot = await SQLITE.fresh();
    const store = spot.open();
    await store.start();
    await rm(spot.dataDir, { recursive: true });
    await until('noticed', () => !store.health.ok);
    expect(store.health.problem).toContain(spot.dataDir);
  });

  it.each([
    ['an empty file', (file: string) => writeFile(file, '')],
    ['half of itself', async (file: string) => truncate(file, (await stat(file)).size / 2)],
    ['something else', (file: string) => writeFile(file, 'hello '.repeat(20_000))],
    [
      'another database',
      async (file: string) => {
        await rm(file);
        new Database(file).exec('create table other (x)').close();
      },
    ],
  ])('stays broken when its file becomes %s', async (_, harm) => {
    const spot = await SQLITE.fresh();
    const store = spot.open();
    await store.start();
    await store.writeHolds(Array.from({ length: 2000 }, (_n, i) => aHold({ key: `key ${i}` })));
    await sql`pragma wal_checkpoint(truncate)`.execute(store.authDatabase.db);
    await store.appendAudit(anAuditDraft());
    const file = join(spot.dataDir, 'lockscope.db');
    await harm(file);
    await until('broken', () => !store.health.ok);
    await expect(store.appendAudit(anAuditDraft())).rejects.toMatchObject(UNAVAILABLE);
    await pause(2500);
    expect(store.health).toMatchObject({ ok: false, problem: expect.stringContaining(file) });
  });

  it('tells of a failure that only better-auth met, when asked', async () => {
    const spot = await SQLITE.fresh();
    const store = spot.open();
    await store.start();
    await store.probe();
    await rm(spot.dataDir, { recursive: true });
    await expect(store.probe()).rejects.toMatchObject(UNAVAILABLE);
    expect(store.health.ok).toBe(false);
  });

  it.each([
    [
      'is no database at all',
      async (file: string) => writeFile(file, 'hello '.repeat(2000)),
      'not a Lockscope database',
    ],
    ['has damaged pages', damage, 'is damaged'],
  ])('refuses a file that %s, naming it and the remedy', async (_, harm, sentence) => {
    const spot = await SQLITE.fresh();
    const store = spot.open();
    await store.start();
    await store.writeHolds(Array.from({ length: 500 }, (_n, i) => aHold({ key: `key ${i}` })));
    await store.stop();
    const file = join(spot.dataDir, 'lockscope.db');
    await harm(file);
    const message = await spot
      .open()
      .start()
      .then(
        () => '',
        (error: Error) => error.message,
      );
    expect(message).toContain(file);
    expect(message).toContain(sentence);
    expect(message).toContain('move it away');
  });

  it('refuses a data folder that cannot be used', async () => {
    const dir = await newDir();
    await writeFile(join(dir, 'data'), '');
    const store = openStore({ dataDir: join(dir, 'data'), databaseUrl: null });
    await expect(store.start()).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe.skipIf(!server)('a broken PostgreSQL', () => {
  it('rejects while it is down, never crashes, and goes on when it is back', async () => {
    if (!server) return;
    const databaseUrl = await server.newDatabase();
    const store = openStore({ dataDir: '', databaseUrl });
    await store.start();
    await store.writeHolds([aHold()]);
    await server.interrupt();
    await expect(store.writeHolds([aHold({ key: 'b' })])).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.holds({ limit: 1 })).rejects.toMatchObject(UNAVAILABLE);
    expect(store.health).toMatchObject({ ok: false, kind: 'postgres' });
    const stillDown = openStore({ dataDir: '', databaseUrl });
    await expect(stillDown.start()).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining('cannot be reached'),
    });
    await server.start();
    await until('healthy again', () => store.health.ok);
    await store.appendAudit(anAuditDraft());
    expect(await store.holds({ limit: 9 })).toEqual([aHold()]);
  });
});

/** Overwrites the middle of the file, where the table of contents is not. */
async function damage(file: string): Promise<void> {
  execFileSync(
    'dd',
    ['if=/dev/urandom', `of=${file}`, 'bs=4096', 'seek=8', 'count=20', 'conv=notrunc'],
    {
      stdio: 'ignore',
    },
  );
}

function canMount(): boolean {
  return (
    process.getuid?.() === 0 && existsSync('/proc/self/mounts') && process.platform === 'linux'
  );
}
