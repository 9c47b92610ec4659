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
    const update = (word: string): [string, Buffer[]] => [
      'update words set seen = seen where digest = $1',
      [Buffer.from(word)],
    ];
    const url = databaseUrl ?? '';
    const written = await withClient(url, (gate) =>
      withClient(url, async (other) => {
        const waiting = (count: number) =>
          until(`${count} wait`, async () => {
            const { rows } = await gate.query('select 1 from pg_locks where not granted');
            return rows.length >= count;
          });
        // Whoever has waited for so long looks for a circle: that is the store, which closes this one.
        await other.query(`set deadlock_timeout = '110s'`);
        await other.query('begin');
        await other.query(...update('c'));
        await gate.query('begin');
        await gate.query(...update('b'));
        const write = second.writeHolds(holds).then(
          () => 'written',
          (error: unknown) => error,
        );
        await waiting(1);
        const asked = other.query(...update('a'));
        await waiting(2);
        await gate.query('commit');
        await asked;
        await other.query('commit');
        return await write;
      }),
    );
    expect(written).toBe('written');
    expect(await second.holds({ owner: 'c', limit: 9 })).toHaveLength(1);
  });
});
