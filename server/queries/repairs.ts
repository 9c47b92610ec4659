import { said } from '@/lib/messages/in-english';
import type { LockDetail } from '@/lib/protocol/lock';
import { hasRole } from '@/server/auth/actor';
import { RELEASE_RULES } from '@/server/redis/acl-rules';
import type { LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import type { QueryContext, ServerContext } from './query-context';
import { actorObstacle, type Obstacle } from './release-check';

type Repair = NonNullable<LockDetail['repairs']>[number];

/** What keeps any repair of this lock from being made; null when nothing does. */
function repairObstacle(context: ServerContext, { format }: LockRecord): Obstacle | null {
  if (format.readOnly) {
    return { code: 'READ_ONLY_FORMAT', said: said('repair:own-tools', { library: format.name }) };
  }
  if (!context.table.connected) {
    return { code: 'TARGET_UNAVAILABLE', said: said('repair:not-connected', {}) };
  }
  const { capabilities, missingRules } = context.watch.status();
  if (capabilities.eval) return null;
  const known = missingRules.find(({ capability }) => capability === 'eval');
  const rule = known?.rule ?? RELEASE_RULES;
  return {
    code: 'CAPABILITY_MISSING',
    said: said('repair:no-script-right', { rule }),
    details: { capability: 'eval', rule },
  };
}

/** What keeps the waiters of this lock from being woken; null when nothing does. */
export function wakeObstacle(context: ServerContext, record: LockRecord): Obstacle | null {
  const { format } = record;
  if (!format.wake) {
    return { code: 'READ_ONLY_FORMAT', said: said('wake:nothing', { library: format.name }) };
  }
  const { hold } = toLock(record, [], context.now());
  if (hold) {
    const owner = hold.owner.id || null;
    const details = { holder: owner, since: hold.since, version: hold.version };
    return { code: 'CONFLICT', said: said('wake:held', { owner }), details };
  }
  return repairObstacle(context, record);
}

/** What keeps one holder of several from being taken out of this lock; null when nothing does. */
export function removalObstacle(context: ServerContext, record: LockRecord): Obstacle | null {
  const { format, members, raw } = record;
  if (!format.removeMember) {
    const why = said('remove:not-several', { library: format.name });
    return { code: 'READ_ONLY_FORMAT', said: why };
  }
  if (members.length === 0 || !raw) return { code: 'CONFLICT', said: said('remove:nobody', {}) };
  return repairObstacle(context, record);
}

/** What keeps waiters from being dropped out of the queue of this lock; null when nothing does. */
function dropObstacle(context: ServerContext, record: LockRecord): Obstacle | null {
  if (!hasQueue(record)) {
    const why = said('drop:no-queue', { library: record.format.name });
    return { code: 'READ_ONLY_FORMAT', said: why };
  }
  if (record.queue.length === 0) return { code: 'CONFLICT', said: said('drop:nobody', {}) };
  return repairObstacle(context, record);
}

const hasQueue = ({ format }: LockRecord): boolean => format.waiters === 'fair-queue';

function actorRepairObstacle(context: QueryContext, { namespace }: LockRecord): Obstacle | null {
  const { actor } = context;
  if (!hasRole(actor, 'operator')) {
    return { code: 'FORBIDDEN', said: said('repair:needs-role', { role: actor.role }) };
  }
  return actorObstacle(actor, namespace);
}

/**
 * What can be done to a lock of this library besides releasing it, and for each whether this actor can do it
 * now. Undefined where its library knows no repair.
 */
export function repairsOf(context: QueryContext, record: LockRecord): LockDetail['repairs'] {
  const { format } = record;
  const forbidden = actorRepairObstacle(context, record);
  const repair = (kind: Repair['kind'], obstacle: Obstacle | null): Repair => {
    const because = (forbidden ?? obstacle)?.said.sentences;
    return { kind, ...(because && { because }) };
  };
  const repairs: Repair[] = [];
  if (format.wake) repairs.push(repair('wake', wakeObstacle(context, record)));
  if (format.removeMember) repairs.push(repair('remove-member', removalObstacle(context, record)));
  if (hasQueue(record)) repairs.push(repair('drop-waiter', dropObstacle(context, record)));
  return repairs.length > 0 ? repairs : undefined;
}
