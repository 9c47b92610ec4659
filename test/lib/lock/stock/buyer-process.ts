import { Redis } from 'ioredis';
import { createLockClient, isLockError } from '@/lib/lock/index';
import { createStock } from '@/lib/lock/stock/index';
import type { Answer, Ask, BuyerJob } from './buyer-job';

// A process that deducts and gives back what it is asked to, until it is killed. Several asks at a time.
const { port, stock: name } = JSON.parse(process.argv[2] ?? '') as BuyerJob;
const redis = new Redis({
  port,
  host: '127.0.0.1',
  retryStrategy: () => 20,
  maxRetriesPerRequest: null,
});
redis.on('error', () => {
  // Redis is cut off and restarted on purpose; what it costs shows in the answers.
});
const client = createLockClient({ redis, allowInsecure: true });
const stock = createStock({ client, redis, name });

async function answerTo({ id, verb, orderId, quantity }: Ask): Promise<Answer> {
  try {
    const done =
      verb === 'deduct' ? await stock.deduct(quantity, { orderId }) : await stock.giveBack(orderId);
    return { id, quantity: done.quantity, isRepeat: done.isRepeat };
  } catch (error) {
    if (!isLockError(error)) throw error;
    const { code, message, fields } = error;
    return { id, code, message, remaining: Number(fields.remaining) };
  }
}

process.on('disconnect', () => process.exit());
process.on('message', (ask: Ask) => {
  void answerTo(ask).then((answer) => process.send?.(answer));
});
process.send?.('ready');
