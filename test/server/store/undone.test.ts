import { expect, it } from 'vitest';
import { withClient } from '@/test/support/postgres';
import { until } from '@/test/support/until';
import { aHold } from './samples';
import { onPostgres } from './store-under-test';

onPostgres('a write that the database undoes', (place) => {
  it('is made again, where it and another one waited for each other', async () => {
    const { open, databaseUrl } = await place.fresh();
    const names = ['a', 'b', 'c'];
    const holds = names.map((name, generation) =>
      aHold({ token: name, past: { owner: name, generation } }),
    );
    const first = open();
    await first.start();
    await first.writeHolds(holds);
    // Another one, which remembers none of the names.
    const second = open();
    await second.start();
    const written = await withClient(databaseUrl ?? '', async (client) => {
      const other = `where digest = $1`;
      // Whoever has waited for a second looks for a circle: that is the store.
      await client.query(`set deadlock_timeout = '20s'`);
      await client.query('begin');
      await client.query(`update words set seen = seen ${other}`, [Buffer.from('c')]);
      const write = second.writeHolds(holds).then(
        () => 'written',
        (error: unknown) => error,
      );
      await until('the store waits for the other', async () => {
        const { rows } = await client.query('select 1 from pg_locks where not granted');
        return rows.length > 0;
      });
      await client.query(`update words set seen = seen ${other}`, [Buffer.from('a')]);
      await client.query('commit');
      return await write;
    });
    expect(written).toBe('written');
    expect(await second.holds({ owner: 'c', limit: 9 })).toHaveLength(1);
  }, 60_000);
});
