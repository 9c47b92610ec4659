import { FairClient } from '@/server/demo/replay/redisson-fair';
import type { Service, ServiceContext } from '@/server/demo/service';

const LEFT = 'account:4711';
const RIGHT = 'account:4712';
const SOONEST_AGAIN_MS = 60_000;

/** Moves money: takes both accounts in the order given, which is what two of them must not do crosswise. */
async function transfer(
  context: ServiceContext,
  client: FairClient,
  [from, to]: [string, string],
): Promise<void> {
  const thread = 7;
  if (!(await client.acquire(from, thread))) return;
  await context.pause(1500);
  const hasBoth = await client.acquire(to, thread);
  await context.pause(1000);
  if (hasBoth) await client.release(to, thread);
  await client.release(from, thread);
}

/** Two services transfer in opposite directions: each holds what the other waits for. */
export const transfers: Service = async (context) => {
  const one = new FairClient(context);
  const other = new FairClient(context);
  await context.pause(4000);
  for (;;) {
    await Promise.all([
      transfer(context, one, [LEFT, RIGHT]),
      transfer(context, other, [RIGHT, LEFT]),
    ]);
    await context.pause(SOONEST_AGAIN_MS);
  }
};
