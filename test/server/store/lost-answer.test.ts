import net from 'node:net';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { PendingWrites } from '@/server/store/pending-writes';
import type { Store } from '@/server/store/store-contract';
import { until } from '@/test/support/until';
import { aBlame, aRollup } from './samples';
import { cleanUp, onBoth, openStore, server as postgres, newDir } from './store-under-test';

afterAll(cleanUp);

async function told(store: Store): Promise<number[]> {
  const query = { target: 'main', from: 0, to: 2_000_000, stepMs: null } as const;
  const rollups = await store.rollups({ ...query, level: 'class', sketches: [] });
  const blame = await store.blame({ target: 'main', from: 0, to: 2_000_000 });
  return [
    ...rollups.map(({ acquisitions }) => acquisitions),
    ...blame.map(({ waiterMs }) => waiterMs),
  ];
}

onBoth('a part of a step', (place) => {
  it('is there once, however often it is written', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rows = { rollups: [aRollup({ acquisitions: 5 })], blame: [aBlame({ waiterMs: 7 })] };
    for (const part of [1, 1, 2, 1]) await store.writeRollups({ ...rows, part });
    expect(await told(store)).toEqual([10, 14]);
  });
});

/** Passes everything on; once `cut`, it ends the connection when pages are committed, before that is answered. */
async function cutBeforeAnswer(port: number) {
  let isArmed = false;
  const proxy = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    let hasPages = false;
    let isCut = false;
    client.on('data', (data: Buffer) => {
      const text = data.toString('latin1');
      hasPages ||= text.includes('insert into "pages"');
      if (isArmed && hasPages && /commit/i.test(text)) {
        isArmed = false;
        isCut = true;
        upstream.once('data', () => client.destroy());
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => isCut || client.write(data));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    cut: () => (isArmed = true),
    isCut: () => !isArmed,
    close: () => proxy.close(),
  };
}

describe.skipIf(!postgres)('a step that PostgreSQL wrote without an answer', () => {
  it('is there once when it is written again', async () => {
    if (!postgres) return;
    const url = new URL(await postgres.newDatabase());
    const proxy = await cutBeforeAnswer(Number(url.port));
    url.port = `${proxy.port}`;
    const store = openStore({ dataDir: await newDir(), databaseUrl: url.href });
    await store.start();
    const writes = new PendingWrites({ store, target: 'main', now: () => 2_000_000 });
    writes.addSteps({ rollups: [aRollup({ acquisitions: 5 })], blame: [aBlame({ waiterMs: 7 })] });
    proxy.cut();
    await writes.write();
    expect(proxy.isCut()).toBe(true);
    expect(writes.rollups).toHaveLength(1);
    writes.addSteps({ rollups: [aRollup({ acquisitions: 1 })], blame: [] });
    await until('all is written', async () => {
      await writes.write();
      return writes.size === 0;
    });
    expect(await told(store)).toEqual([6, 7]);
    proxy.close();
  });
});
