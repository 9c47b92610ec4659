import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pause } from '@/test/support/pause';
import { ROOT } from '@/test/support/source-tree';
import { openShop, refusal } from './shop';

const shop = openShop();

/** Keys and commands as the README names them. */
async function documentedRules(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'lib/lock/stock/README.md'), 'utf8');
  const [, keys = '', commands = ''] =
    /needs `(~\S+)` and `([A-Z ]+)`/.exec(text.replaceAll('\n', ' ')) ?? [];
  return [keys, ...commands.split(' ').map((command) => `+${command.toLowerCase()}`)];
}

it('does everything with the permissions that the README names, and cannot leave its keys', async () => {
  const rules = await documentedRules();
  await shop.commands.acl('SETUSER', 'seller', 'on', '>secret', 'resetkeys', '-@all', ...rules);
  const seller = shop.redis.client({ username: 'seller', password: 'secret' });
  const stock = shop.stock({ redis: seller, orderMemoryMs: 1000 });
  await stock.setUp(10);
  await stock.deduct(10, { orderId: 'all' });
  await stock.giveBack('all');
  await stock.restock(5, { restockId: 'd' });
  await pause(1050);
  await stock.deduct(15, { orderId: 'more' });
  expect(await stock.remaining()).toMatchObject({ remaining: 0, sold: 15 });

  const elsewhere = shop.stock({ redis: seller, prefix: 'others:' });
  expect((await refusal(elsewhere.setUp(1))).code).toBe('REDIS_FORBIDS');
});
