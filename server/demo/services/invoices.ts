import { Queue, Worker } from 'bullmq';
import { forever, type Service } from '@/server/demo/service';

/** Sends invoices through a BullMQ queue; each active job holds a lock of its worker. */
export const invoices: Service = async (context) => {
  const { host, port, password } = context.address;
  const connection = { host, port, password };
  const queue = new Queue('invoices', {
    connection,
    defaultJobOptions: { removeOnComplete: 50, removeOnFail: 50 },
  });
  const worker = new Worker(
    'invoices',
    async () => await context.pause(context.random.between(400, 2500)),
    { connection, concurrency: 3, name: 'invoice-mailer' },
  );
  worker.on('error', context.report);
  await forever(context, [300, 1500], async () => {
    await queue.add('send', { invoice: context.random.between(20_000, 29_999) });
  });
};
