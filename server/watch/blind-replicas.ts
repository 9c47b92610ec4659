import { listOf, sentence, verbatim } from '@/lib/messages/sentence';
import { redisCliOfReplica } from '@/server/redis/redis-cli';
import type { NodeState } from './node-status';
import { blindTo, judgeSight, NO_PROOF } from './sight';
import type { ToldWarning } from './told-warning';

const WANTED_FLAGS = 'KEAn';

/**
 * Replicas that would announce less than their primary does now: after a failover to one of them the console would be
 * blind. Of one that could not be asked nothing is known and nothing said.
 */
export function blindReplicas({ facts, sight, url }: NodeState): ToldWarning[] {
  if (!sight.sight) return [];
  const known = blindTo(sight.sight);
  const { mode } = sight.subscribed;
  return [...facts.replicaFlags].flatMap(([address, flags]) => {
    if (flags === null) return [];
    const its = blindTo(judgeSight({ canary: NO_PROOF, flags, mode }));
    const more = its.filter((word) => !known.includes(word));
    if (more.length === 0) return [];
    const colon = address.lastIndexOf(':');
    const [host, port] = [address.slice(0, colon), address.slice(colon + 1)];
    return [
      {
        code: 'blind-after-failover',
        message: [
          sentence('blind-after-failover:replica', { address, flags, unseenWords: listOf(more) }),
        ],
        remedy: verbatim(
          `${redisCliOfReplica(url, { host, port })} CONFIG SET notify-keyspace-events ${WANTED_FLAGS}`,
        ),
      },
    ];
  });
}
