import { sentence } from '@/lib/messages/sentence';
import { asClause } from '@/server/redis/redis-error';
import type { NodeState } from './node-status';
import type { ToldWarning } from './told-warning';

type Cause = 'snapshot' | 'append-log' | 'memory' | 'replicas';

/**
 * Why a server refuses the writes of everybody (redis.io/docs/latest/develop/reference/protocol-spec, error prefixes as
 * `src/server.c` of Redis sends them); null for what it refuses this user alone, or as a replica.
 */
function causeOf(reply: string): Cause | null {
  if (reply.startsWith('MISCONF')) return reply.includes('AOF') ? 'append-log' : 'snapshot';
  if (reply.startsWith('OOM')) return 'memory';
  return reply.startsWith('NOREPLICAS') ? 'replicas' : null;
}

const refused = (cause: Cause, reply: string): ToldWarning => ({
  code: 'write-refused',
  message: [sentence(`write-refused:${cause}`, { error: asClause(reply) })],
  remedy: sentence(`write-refused:${cause}-remedy`, {}),
});

/**
 * Whether Redis takes writes, by what it answered to our own; where this user may not write, by what the server says of
 * its last save. A failed save alone is nothing: without save points, or told so, Redis writes on.
 */
export function refusedWrites({ sight, facts }: NodeState): ToldWarning[] {
  const { writeRefusal } = sight;
  if (writeRefusal === null) return [];
  const cause = writeRefusal === undefined ? null : causeOf(writeRefusal);
  if (cause !== null && writeRefusal !== undefined) return [refused(cause, writeRefusal)];
  const { failedSave, stopsWrites } = facts;
  if (facts.role === 'replica' || failedSave === null || stopsWrites === false) return [];
  return [
    {
      code: 'write-refused',
      message: [sentence('write-refused:perhaps', {})],
      remedy: sentence(`write-refused:${failedSave}-remedy`, {}),
    },
  ];
}
