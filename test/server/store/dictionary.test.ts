import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createDictionary } from '@/server/store/dictionary';
import { createHoldRuns } from '@/server/store/hold-runs';
import { readHolds } from '@/server/store/holds';
import { migrate } from '@/server/store/migrations';
import { createSqliteBackend } from '@/server/store/sqlite-backend';
import { writeHolds } from '@/server/store/write-holds';
import { aHold } from './samples';
import { cleanUp, newDir } from './store-under-test';

afterAll(cleanUp);

/** Names of the words of as many holds as one call writes. */
const HOLDS = 12;
const MOST = 40;

it('gives numbers to holds while it forgets what it remembered of those before', async () => {
  const backend = createSqliteBackend(join(await newDir(), 'names.db'));
  await backend.open();
  await migrate(backend, 0);
  await backend.openReader();
  let at = 0;
  const dictionary = createDictionary(backend, () => at, MOST);
  const writing = { backend, dictionary, runs: createHoldRuns(backend) };
  const written = [];
  for (let call = 0; call < 20; call++) {
    // Half of the names were there before, and an hour passes now and then.
    const holds = Array.from({ length: HOLDS }, (_, i) => {
      const id = call * (HOLDS / 2) + i;
      const past = { generation: call, start: call * 100 + i, end: call * 100 + i + 1 };
      const names = { owner: `owner ${id}`, endedBy: `ended by ${id}` };
      return aHold({ key: `key ${id}`, token: `token ${id}`, past: { ...past, ...names } });
    });
    await writeHolds(writing, holds);
    written.push(...holds);
    at += 1_000_000;
  }
  expect(await readHolds(backend, { limit: 1000 })).toEqual(written.toReversed());
  await backend.close();
});
