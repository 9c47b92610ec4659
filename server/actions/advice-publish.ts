import type { ActionInput } from '@/lib/protocol/actions';
import { said } from '@/lib/messages/in-english';
import type { PublishedLease, TimeoutAdvice } from '@/lib/protocol/advice';
import { CodedError } from '@/lib/protocol/errors';
import {
  fieldBytes,
  forgetPublished,
  publishRule,
  rememberPublished,
} from '@/server/queries/advice-published';
import { knownTarget } from '@/server/queries/lock-address';
import type { QueryContext } from '@/server/queries/query-context';
import { timeouts } from '@/server/queries/timeouts';
import { isRefusal } from '@/server/redis/redis-error';
import { answer, type Subject, type Verb } from './verb';

type Input = ActionInput<'advice.publish'>;

/** A recommendation that was shown still stands when it has moved no further than this. */
const MOVED_BY = 0.1;

/**
 * KEYS: a hash of leases. ARGV: how many fields to remove, each with the value that it must still have, then fields to
 * set with their values. Returns how many were removed, then the value that each set field had ('' = none). One
 * step, so that no client reads half of it.
 */
const PUBLISH = `
local removed = 0
local at = 2
for _ = 1, tonumber(ARGV[1]) do
  if redis.call('HGET', KEYS[1], ARGV[at]) == ARGV[at + 1] then
    removed = removed + redis.call('HDEL', KEYS[1], ARGV[at])
  end
  at = at + 2
end
local answer = {removed}
while at < #ARGV do
  answer[#answer + 1] = redis.call('HGET', KEYS[1], ARGV[at]) or ''
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  at = at + 2
end
return answer`;

function subjectOf(_context: QueryContext, { classes }: Input): Subject {
  const namespaces = classes === 'all' ? 'all' : classes.map(({ namespace }) => namespace);
  return { db: null, key: null, namespaces, before: { classes } };
}

/** Guesses are published when somebody asks for that class by name. */
const isSure = ({ confidence, publish }: TimeoutAdvice): boolean =>
  publish !== null && confidence !== 'low';

const leasesOf = ({ publish, recommendedMs }: TimeoutAdvice): PublishedLease[] =>
  (publish ?? []).map(({ db, hash, field }) => ({ db, hash, field, leaseMs: recommendedMs }));

/** Throws NOT_FOUND for a class without a recommendation, CONFLICT where it is another than was shown. */
function chosen(items: readonly TimeoutAdvice[], classes: Input['classes']): PublishedLease[] {
  if (classes === 'all') return items.filter(isSure).flatMap(leasesOf);
  return classes.flatMap(({ namespace, class: lockClass, leaseMs }) => {
    const item = items.find((one) => one.class === lockClass && one.namespace === namespace);
    if (!item?.publish) {
      throw new CodedError('NOT_FOUND', said('publish:unknown-class', { class: lockClass }));
    }
    const { recommendedMs } = item;
    if (leaseMs === undefined) return leasesOf(item);
    if (Math.abs(recommendedMs - leaseMs) > leaseMs * MOVED_BY) {
      const values = { class: lockClass, nowMs: recommendedMs, shownMs: leaseMs };
      throw new CodedError('CONFLICT', said('publish:moved', values), { recommendedMs });
    }
    return leasesOf({ ...item, recommendedMs: leaseMs });
  });
}

/** What is written into one hash, and what is taken out of it. */
interface Batch {
  db: number;
  hash: string;
  write: PublishedLease[];
  remove: PublishedLease[];
}

function batchesOf(write: readonly PublishedLease[], remove: readonly PublishedLease[]): Batch[] {
  const batches = new Map<string, Batch>();
  const batchFor = ({ db, hash }: PublishedLease): Batch => {
    const id = `${db}\n${hash}`;
    const batch = batches.get(id) ?? { db, hash, write: [], remove: [] };
    batches.set(id, batch);
    return batch;
  };
  for (const lease of write) batchFor(lease).write.push(lease);
  for (const lease of remove) batchFor(lease).remove.push(lease);
  return [...batches.values()];
}

type Written = PublishedLease & { beforeMs: number | null };

/** Throws CAPABILITY_MISSING where Redis forbids it, TARGET_UNAVAILABLE where it cannot be known whether it was done. */
async function send(context: QueryContext, { db, hash, write, remove }: Batch): Promise<Written[]> {
  const connection = await context.watch.commandConnection(db);
  const pair = ({ field, leaseMs }: PublishedLease) => [fieldBytes(field), leaseMs];
  const args = [remove.length, ...remove.flatMap(pair), ...write.flatMap(pair)];
  try {
    const reply: unknown = await connection.call('EVAL', PUBLISH, 1, hash, ...args);
    const before: unknown[] = Array.isArray(reply) ? reply.slice(1) : [];
    return write.map((lease, i) => ({ ...lease, beforeMs: toLease(before[i]) }));
  } catch (error) {
    if (isRefusal(error)) {
      const rule = publishRule(context);
      throw new CodedError('CAPABILITY_MISSING', said('publish:no-right', { rule }), {
        capability: 'publish',
        rule,
      });
    }
    const because = error instanceof Error ? error.message : String(error);
    throw new CodedError('TARGET_UNAVAILABLE', said('publish:not-confirmed', { error: because }));
  }
}

const toLease = (text: unknown): number | null =>
  text === '' || !Number.isFinite(Number(text)) ? null : Number(text);

/**
 * Writes recommended leases where lock clients read them. With `all`, those that this console had published and that are
 * recommended no more are taken out, unless somebody has changed them since.
 */
export const advicePublish: Verb<'advice.publish'> = {
  isAudited: true,
  subject: subjectOf,
  run: async (context, { target, classes }) => {
    knownTarget(context, target);
    const { items, stale } = await timeouts(context);
    const write = chosen(items, classes);
    const remove = classes === 'all' ? stale : [];
    if (write.length + remove.length === 0) {
      throw new CodedError('NOT_FOUND', said('publish:nothing', {}));
    }
    const written: Written[] = [];
    try {
      for (const batch of batchesOf(write, remove)) written.push(...(await send(context, batch)));
    } finally {
      context.adviceMemory.timeouts.forget();
    }
    for (const { beforeMs: _before, ...lease } of written) await rememberPublished(context, lease);
    for (const lease of remove) await forgetPublished(context, lease);
    const result = { outcome: 'published', written, removed: remove } as const;
    return { after: { written, removed: remove }, finish: answer(result) };
  },
};
