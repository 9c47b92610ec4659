import type { Bytes } from '@/lib/protocol/bytes';
import type { PastLockMoment } from '@/lib/protocol/past';
import type { PastLockParams } from '@/lib/protocol/queries';
import { holdsAround, stepsAround } from './holds-around';
import { lockAddress } from './lock-address';
import { placedOwners } from './owner-places';
import { momentOf } from './past-moment';
import { nameOfRecord, stillWaitingSince, toPastLock, waiterOfRow } from './past-picture';
import type { ServerContext } from './query-context';

const MOST_WAITERS = 1000;

async function waitsAt(context: ServerContext, lock: { db: number; key: Bytes }, at: number) {
  const range = { at, from: at, to: at };
  const ended = await context.history.waits({
    lock,
    ...range,
    order: 'longest',
    limit: MOST_WAITERS,
  });
  const record = context.table.get(lock.db, lock.key);
  const lasting = record ? stillWaitingSince(record, at) : [];
  return { waiters: [...ended.map(waiterOfRow), ...lasting], name: ended[0] };
}

/**
 * One lock at a moment: who held it and who waited, and the holds around. Throws INVALID_INPUT for a key that is none,
 * and NOT_FOUND for another target; of a lock that was never seen, `lock` is null.
 */
export async function pastLock(
  context: ServerContext,
  params: PastLockParams,
): Promise<PastLockMoment> {
  const { db, key } = lockAddress(context, params);
  const moment = await momentOf(context, params.at);
  const around = await holdsAround(context, { db, key }, moment.at);
  const { hold, before, after } = stepsAround(around, moment.at);
  const { waiters, name: waitedFor } = await waitsAt(context, { db, key }, moment.at);
  const record = context.table.get(db, key);
  const name = hold ?? before ?? after ?? waitedFor ?? (record && nameOfRecord(record));
  const standing = name && {
    ...{ db, key, class: name.class, namespace: name.namespace, formatId: name.formatId },
    hold: hold?.past ?? null,
    waiters,
  };
  const owners = [...around.map(({ past }) => past), ...waiters].map(({ owner }) => owner);
  return {
    ...moment,
    lock: standing ? toPastLock(context, standing, moment.gap !== null) : null,
    before: before?.past ?? null,
    after: after?.past ?? null,
    around: around.map(({ past }) => past),
    places: placedOwners(context, [{ db, key }], owners),
  };
}
