import { RELEASE_RULES } from '@/server/redis/acl-rules';
import { CodedError, type ErrorCode } from '@/lib/protocol/errors';
import { hasRole, type Actor } from '@/server/auth/actor';
import type { LockRecord } from '@/server/state/lock-record';
import type { ServerContext } from './query-context';

interface Obstacle {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

/** CAPABILITY_MISSING with the rule that would grant it. */
export function evalMissing(context: ServerContext): Obstacle {
  const known = context.watch.status().missingRules.find((rule) => rule.capability === 'eval');
  const rule = known?.rule ?? RELEASE_RULES;
  return {
    code: 'CAPABILITY_MISSING',
    message: `The console's Redis user may not run the release script. Grant it: ${rule}`,
    details: { capability: 'eval', rule },
  };
}

/** What keeps this lock, as it is now, from being released; null when nothing does. */
export function releaseObstacle(context: ServerContext, record: LockRecord): Obstacle | null {
  const { format, raw } = record;
  if (!record.hold) return { code: 'CONFLICT', message: 'Nobody holds this lock now.' };
  if (format.readOnly || !format.release) {
    const message = `Locks of ${format.name} are not released here: the library's own tools do it safely.`;
    return { code: 'READ_ONLY_FORMAT', message };
  }
  if (!context.table.connected) {
    const message = 'The console is not connected to Redis, so the holder shown may be an old one.';
    return { code: 'TARGET_UNAVAILABLE', message };
  }
  if (!context.watch.status().capabilities.eval) return evalMissing(context);
  if (!raw) {
    return { code: 'TARGET_UNAVAILABLE', message: 'The value of this lock has not been read yet.' };
  }
  if (raw.truncated) {
    const message = `The value is ${raw.size} long, too large to be compared before a delete.`;
    return { code: 'TOO_MANY', message };
  }
  return null;
}

/** What keeps this actor from releasing locks of the namespace; null when nothing does. */
export function actorObstacle(actor: Actor, namespace: string): Obstacle | null {
  if (!hasRole(actor, 'operator')) {
    const message = `Releasing needs the role operator; yours is ${actor.role}.`;
    return { code: 'FORBIDDEN', message };
  }
  if (actor.namespaces && !actor.namespaces.includes(namespace)) {
    return { code: 'FORBIDDEN', message: `You may not act in ${namespace || 'no namespace'}.` };
  }
  return null;
}

export const toError = ({ code, message, details }: Obstacle): CodedError =>
  new CodedError(code, message, details);
