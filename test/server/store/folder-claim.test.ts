import { afterAll, expect, it } from 'vitest';
import { claimFolder } from '@/server/store/folder-claim';
import { pause } from '@/test/support/pause';
import { cleanUp, newDir } from './store-under-test';

afterAll(cleanUp);

it('gives a folder to one console, and to the next when that one lets go of it', async () => {
  const folder = await newDir();
  const letGo = await claimFolder(folder);
  const next = claimFolder(folder);
  await pause(300);
  letGo();
  const letGoAgain = await next;
  await expect(claimFolder(folder)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  letGoAgain();
});

it('says that a folder cannot be used', async () => {
  await expect(claimFolder('/proc/lockscope/data')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
});
