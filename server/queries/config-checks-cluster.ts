import { keySlot } from '@/lib/analysis/key-slot';
import { bsmRedislock } from '@/lib/formats/bsm-redislock';
import { sentence } from '@/lib/messages/sentence';
import type { ConfigCheck } from '@/lib/protocol/advice';
import { printable } from '@/lib/protocol/bytes';
import type { SeenMultiLocks } from '@/server/analysers/multi-locks';
import { ok, wrong, type Verdict } from './config-check';
import { withCommonTag } from './common-tag';
import type { ConfigFacts } from './config-facts';

const LISTED_KEYS = 4;
/** Where no lock was seen to show it by. */
const SAMPLE_KEYS = ['order:42', 'stock:42'];

const callOf = (library: string, keys: readonly string[]): string => {
  const names = withCommonTag(keys.slice(0, LISTED_KEYS))
    .map((name) => JSON.stringify(name))
    .join(', ');
  return library === bsmRedislock.name
    ? `locker.ObtainMulti(ctx, []string{${names}}, ttl, nil)`
    : `redlock.acquire([${names}], ttl)`;
};

function slotsOf({ keys }: NonNullable<SeenMultiLocks['example']>): ConfigCheck['evidence'] {
  return keys
    .slice(0, LISTED_KEYS)
    .map((key) => ({ name: printable(key), value: `slot ${keySlot(key)}` }));
}

/** `errorstat_CROSSSLOT:count=3`, from Redis 6.2 on; null = none, or not told. */
function refusedCalls({ info }: Pick<ConfigFacts, 'info'>): number | null {
  const [, count] = /^count=(\d+)$/.exec(info?.get('errorstat_CROSSSLOT') ?? '') ?? [];
  return count === undefined ? null : Number(count);
}

/** Whether a Redis Cluster can take the locks over several keys that one script takes. */
export function multiLockSlots({
  info,
  multiLocks,
}: Pick<ConfigFacts, 'info' | 'multiLocks'>): Verdict {
  const isCluster = info?.get('cluster_enabled') === '1';
  const refused = isCluster ? refusedCalls({ info }) : null;
  const calls = refused === null ? [] : [{ name: 'CROSSSLOT', value: String(refused) }];
  const { example, split, together } = multiLocks;
  if (example) {
    const { library, keys, at } = example;
    const values = { count: split, library, lastAt: at };
    const more = {
      evidence: [...slotsOf(example), ...calls],
      command: callOf(library, keys.map(printable)),
    };
    return isCluster
      ? wrong('warning', sentence('multi-lock-slots:cluster', values), more)
      : wrong('info', sentence('multi-lock-slots:split', values), more);
  }
  if (refused !== null && refused > 0) {
    return wrong('warning', sentence('multi-lock-slots:refused', { count: refused }), {
      evidence: calls,
      command: callOf('', SAMPLE_KEYS),
    });
  }
  return together > 0
    ? ok(sentence('multi-lock-slots:ok', { count: together }))
    : ok(sentence('multi-lock-slots:none', {}));
}
