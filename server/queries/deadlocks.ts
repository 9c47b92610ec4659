import type { Deadlock } from '@/lib/protocol/deadlock';
import type { DeadlocksParams } from '@/lib/protocol/queries';
import { gapsWithin } from './gaps';
import type { ServerContext } from './query-context';

const MAX_STORED = 200;
const RANK: Record<Deadlock['state'], number> = { confirmed: 0, predicted: 1, resolved: 2 };

/** Present cycles first, then those that may come, then the resolved, newest first each; with `at`, those that stood at that moment. */
export async function deadlocks(
  context: ServerContext,
  { at }: DeadlocksParams,
): Promise<Deadlock[]> {
  return at === undefined ? await presentAndPast(context) : await standingAt(context, at);
}

async function presentAndPast(context: ServerContext): Promise<Deadlock[]> {
  const present = context.analysis.deadlocks();
  const known = new Set(present.map(nameOf));
  const stored = await context.store.deadlocks({ limit: MAX_STORED });
  // What the store still calls confirmed and the analysis does not know ended while nobody watched.
  const past = stored.filter((one) => !known.has(nameOf(one)) && one.state === 'resolved');
  return [...present, ...context.analysis.orders.predicted(), ...past].toSorted(
    (a, b) => RANK[a.state] - RANK[b.state] || b.since - a.since,
  );
}

/** The same owners may block each other again. */
const nameOf = ({ id, since }: Deadlock): string => `${since} ${id}`;

async function standingAt(context: ServerContext, at: number): Promise<Deadlock[]> {
  const present = context.analysis.deadlocks();
  const known = new Set(present.map(nameOf));
  const stored = await context.store.deadlocks({ at, limit: MAX_STORED });
  const others = stored.filter((deadlock) => !known.has(nameOf(deadlock)));
  const standing: Deadlock[] = [];
  for (const deadlock of [...present, ...others]) {
    const { since, resolvedAt } = deadlock;
    if (since > at || (resolvedAt !== null && resolvedAt <= at)) continue;
    const isOpen = resolvedAt === null && !known.has(nameOf(deadlock));
    if (isOpen && (await wasStopped(context, since, at))) continue;
    standing.push(deadlock);
  }
  return standing.toSorted((a, b) => b.since - a.since);
}

/** A cycle whose end nobody saw stood until the console stopped; of later nothing is known. */
async function wasStopped(context: ServerContext, from: number, to: number): Promise<boolean> {
  const gaps = await gapsWithin(context, from, to + 1);
  return gaps.some(({ reason, from: start }) => reason === 'console-stopped' && start >= from);
}
