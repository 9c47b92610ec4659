/** A program as somebody would write it who installed the package; Redis's URL is its first argument. */
export const CONSUMER = `import { Redis } from 'ioredis';
import { createLockClient, LockError, renderLockKey, type Lock } from 'lockscope/lock';
import { createConfigReader, createConfigWriter } from 'lockscope/lock/hot-config';
import { createStock } from 'lockscope/lock/stock';
import { createTaskRunner } from 'lockscope/lock/task-runner';
import { openLockProvider, type LockProvider } from 'lockscope/provider';

const redis = new Redis(process.argv[2] ?? '');
const client = createLockClient({ redis });
const name: string = renderLockKey('order_sync:\${event.order_no}', { event: { order_no: 7 } });
const fence: number = await client.using(name, { waitMs: 1_000 }, (lock: Lock) => lock.fence);

const stock = createStock({ client, redis, name: 'tickets' });
await stock.setUp(3);
await stock.deduct(2, { orderId: 'o-1' });

const runner = createTaskRunner({ client, redis, tasks: { add: { run: () => 2 + 2 } } });
await runner.start();
const { id } = await runner.trigger('add', null);

const writer = createConfigWriter<{ limit: number }>({ client, redis, name: 'limits' });
const { version } = await writer.change(() => ({ limit: 9 }));
const reader = createConfigReader<{ limit: number }>({ redis, name: 'limits' });
await reader.waitFor(version);

const provider: LockProvider = await openLockProvider();
const refusal: unknown = await provider.using({}, () => 'done').catch((error: unknown) => error);

console.log(
  JSON.stringify({
    name,
    isFenced: fence > 0,
    remaining: (await stock.remaining()).remaining,
    triggered: typeof id,
    limit: reader.current?.content.limit,
    byProvider: await provider.using({ order_no: 8 }, (lock) => lock.key),
    refused: refusal instanceof LockError ? refusal.code : String(refusal),
  }),
);
await provider.close();
await reader.close();
await runner.close();
await client.close();
redis.disconnect();
`;

/** The same package asked for in the older way. */
export const COMMONJS_CONSUMER = `import ioredis = require('ioredis');
import lock = require('lockscope/lock');
import provider = require('lockscope/provider');

async function main(): Promise<void> {
  const redis = new ioredis.Redis(process.argv[2] ?? '');
  const client = lock.createLockClient({ redis });
  console.log(await client.using('by-require', (held) => held.key), typeof provider.openLockProvider);
  await client.close();
  redis.disconnect();
}
void main();
`;

/** Nothing of ours is skipped: its declarations are checked with the program. */
export const tsconfig = (files: readonly string[]): string =>
  JSON.stringify({
    compilerOptions: {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      types: ['node'],
      skipLibCheck: false,
      outDir: 'out',
    },
    files,
  });
