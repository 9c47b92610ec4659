import { afterAll, beforeAll, describe, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

async function watching(): Promise<Watching> {
  const begun = watchOf(server);
  begun.watch.setReconcile(() => [{ db: 0, key: 'mutex:a' }]);
  await begun.watch.start();
  await until('it is ready', () => begun.watch.ready);
  return begun;
}

const looks = ({ reads }: Watching) =>
  reads('mutex:a').filter(({ cause }) => cause === 'reconcile');

describe('two consoles on one Redis', () => {
  it('take no reads of each other for somebody who waits', async () => {
    await server.client().set('mutex:a', 'x', 'PX', 600_000);
    const first = await watching();
    await until('it asks', () => looks(first).some(({ idleMs }) => idleMs !== undefined));
    const second = await watching();
    const both = [first, second];
    await until('neither asks', () =>
      both.every((one) => looks(one).at(-1)?.idleMs === undefined && looks(one).length > 2),
    );
    await second.watch.stop();
    await until('the first asks again', () => looks(first).at(-1)?.idleMs !== undefined);
    await first.watch.stop();
  });
});
