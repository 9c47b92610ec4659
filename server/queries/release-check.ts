import { said } from '@/lib/messages/in-english';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { RawValue } from '@/lib/formats/format';
import { RELEASE_RULES } from '@/server/redis/acl-rules';
import { CodedError, type ErrorCode } from '@/lib/protocol/errors';
import type { Target } from '@/lib/protocol/target';
import type { Said } from '@/lib/protocol/sentence';
import { hasRole, type Actor } from '@/server/auth/actor';
import type { LockRecord } from '@/server/state/lock-record';
import type { ServerContext } from './query-context';

/** What keeps something from being done: refused with this code for this reason. */
export interface Obstacle {
  code: ErrorCode;
  said: Said;
  details?: Record<string, unknown>;
}

/** CAPABILITY_MISSING with the rule that would grant it. */
export function evalMissing(context: {
  watch: { status: () => Pick<Target, 'missingRules'> };
}): Obstacle {
  const known = context.watch.status().missingRules.find((rule) => rule.capability === 'eval');
  const rule = known?.rule ?? RELEASE_RULES;
  return {
    code: 'CAPABILITY_MISSING',
    said: said('release:no-script-right', { rule }),
    details: { capability: 'eval', rule },
  };
}

/** What keeps this lock, as it is now, from being released; null when nothing does. */
export function releaseObstacle(context: ServerContext, record: LockRecord): Obstacle | null {
  const { format, raw, rawAt } = record;
  if (!record.hold) return { code: 'CONFLICT', said: said('release:nobody-holds', {}) };
  if (format.readOnly || !format.release) {
    return { code: 'READ_ONLY_FORMAT', said: said('release:own-tools', { library: format.name }) };
  }
  if (!context.table.connected) {
    return { code: 'TARGET_UNAVAILABLE', said: said('release:not-connected', {}) };
  }
  if (!context.watch.status().capabilities.eval) return evalMissing(context);
  const isReadBeside = format.releaseBeside !== undefined && rawAt > 0;
  if (!raw && !isReadBeside) {
    return { code: 'TARGET_UNAVAILABLE', said: said('release:not-read', {}) };
  }
  const cut = cutValue(record);
  return cut && { code: 'TOO_MANY', said: said('release:too-large', { size: cut.size }) };
}

/** What was not read whole of the lock or of who holds it beside it; null when all was. */
export function cutValue({ raw, beside }: LockRecord): RawValue | null {
  if (raw?.truncated) return raw;
  for (const { value } of beside.values()) {
    if (value?.truncated && HOLDING.has(value.type)) return value;
  }
  return null;
}

/** Types of keys beside a lock that name its holders. */
const HOLDING: ReadonlySet<RawValue['type']> = new Set(['hash', 'set', 'zset']);

/** What keeps this actor from releasing locks of the namespace; null when nothing does. */
export function actorObstacle(actor: Actor, namespace: string): Obstacle | null {
  if (!hasRole(actor, 'operator')) {
    return { code: 'FORBIDDEN', said: said('release:needs-role', { role: actor.role }) };
  }
  if (actor.namespaces && !actor.namespaces.includes(namespace)) {
    return {
      code: 'FORBIDDEN',
      said:
        namespace === ''
          ? said('release:no-namespace', {})
          : said('release:namespace', { namespace }),
    };
  }
  return null;
}

/**
 * Why nothing was released: the lock is not as it was shown. `expected` = who was shown, null where that is not
 * known; `present` = who holds it now, null where nobody does.
 */
export function holderChanged(seen: {
  key: Bytes;
  expected: string | null;
  present: { owner: string | null; since: number; depth: number } | null;
  /** It is the very hold that was shown, with another value. */
  isSameHold: boolean;
  now: number;
}): Said {
  const { expected, present, isSameHold, now } = seen;
  if (!present) {
    const key = printable(seen.key);
    if (expected === null) return said('release:gone', { key });
    return said('release:gone-from', { key, expected });
  }
  const { owner, since, depth } = present;
  if (isSameHold) return said('release:still', { owner, depth });
  const seconds = (Math.max(0, now - since) / 1000).toFixed(1);
  if (expected === null || expected === owner) return said('release:now', { owner, seconds });
  return said('release:now-not', { owner, seconds, expected });
}

export const toError = ({ code, said: why, details }: Obstacle): CodedError =>
  new CodedError(code, why, details);
