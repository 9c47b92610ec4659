import { FairClient } from '@/server/demo/replay/redisson-fair';
import { forever, type Service } from '@/server/demo/service';

/** Java services that share loading docks under Redisson's fair lock, in order of arrival. */
export const warehouse: Service = async (context) => {
  const clients = [new FairClient(context), new FairClient(context)];
  const load = async (client: FairClient, thread: number): Promise<never> =>
    await forever(context, [300, 2500], async () => {
      const dock = `warehouse:dock-${context.random.between(1, 2)}`;
      if (!(await client.acquire(dock, thread, 10_000))) return;
      await context.pause(context.random.between(200, 1400));
      await client.release(dock, thread);
    });
  await Promise.all(clients.flatMap((client) => [31, 32].map((thread) => load(client, thread))));
};
