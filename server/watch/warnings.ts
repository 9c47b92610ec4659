import { RELEASE_RULES, WAKE_CHANNEL_RULE } from '@/server/redis/acl-rules';
import type { TargetWarning } from '@/lib/protocol/target';
import { displayAddress, userOf } from '@/server/redis/connection-options';
import { unwatchedDbs, type NodeState } from './node-status';
import type { Capability } from './server-facts';
import { blindTo } from './sight';
import { ALL_KEYEVENT, ALL_KEYSPACE } from './subscription';

/** A cut stays a warning for this long. */
const CUT_WARNING_MS = 10 * 60 * 1000;
const CHANNEL_RULES = `&${ALL_KEYSPACE} &${ALL_KEYEVENT}`;
const WANTED_FLAGS = 'KEAn';

/** Everything an operator should know about this node, each with a remedy that can be pasted. */
export function nodeWarnings(state: NodeState): TargetWarning[] {
  return [
    ...connectionWarnings(state),
    ...sightWarnings(state),
    ...serverWarnings(state),
    ...[...state.problems].map(([task, message]) => ({
      code: 'blind',
      message: `Lockscope could not ${task}: ${message}.`,
      remedy: `Check the rights of user ${userOf(state.url)} and the health of ${displayAddress(state.url)}.`,
    })),
  ];
}

function connectionWarnings(state: NodeState): TargetWarning[] {
  const warnings: TargetWarning[] = [];
  if (!state.connected) {
    warnings.push({
      code: 'blind',
      message: `The connection to ${displayAddress(state.url)} is down${state.connectionError ? ` (${state.connectionError})` : ''}; nothing shown is current.`,
      remedy: 'Lockscope keeps reconnecting; check that Redis runs and can be reached.',
    });
  }
  if (state.gaps.has('buffer-cut', state.now - CUT_WARNING_MS)) {
    warnings.push({
      code: 'buffer-cut',
      message:
        'Redis cut off our event connection because events came faster than they were read; events were lost and all locks were read again.',
      remedy: 'CONFIG SET client-output-buffer-limit "pubsub 256mb 64mb 60"',
    });
  }
  return warnings;
}

function sightWarnings(state: NodeState): TargetWarning[] {
  if (!state.connected) return [];
  if (!state.sight.speaksResp3) {
    return [
      {
        code: 'blind',
        message:
          'The server does not speak RESP3 (HELLO 3 was refused), so no events are received; locks are read by polling.',
        remedy: 'Use Redis 7.0 or newer, or allow HELLO.',
      },
    ];
  }
  const { refusal } = state.sight.subscribed;
  if (refusal !== null) {
    return [
      {
        code: 'blind',
        message: `User ${userOf(state.url)} may not subscribe to keyspace events (${refusal}); locks are read by polling and short holds are missed.`,
        remedy: `ACL SETUSER ${userOf(state.url)} +psubscribe ${CHANNEL_RULES}`,
      },
    ];
  }
  const { facts } = state;
  const { sight, isBlind } = state.sight;
  if (!sight) return [];
  const blind = blindTo(sight);
  if (blind.length === 0) return [];
  const flags = facts.notifyFlags;
  const missing = sight.missingClasses.join('');
  const setting =
    flags === null
      ? 'notify-keyspace-events cannot be read'
      : `notify-keyspace-events is "${flags}"${missing ? `, missing ${missing}` : ''}`;
  return [
    {
      code: 'blind',
      message: `Redis does not announce ${blind.join(', ')} (${setting})${isBlind ? '; locks are read by polling instead' : ''}.`,
      remedy: facts.capabilities.config
        ? `CONFIG SET notify-keyspace-events ${WANTED_FLAGS}`
        : `Set the parameter notify-keyspace-events to ${WANTED_FLAGS} in your provider's parameter group or console (CONFIG is not allowed for user ${userOf(state.url)}).`,
    },
  ];
}

function serverWarnings(state: NodeState): TargetWarning[] {
  const { facts } = state;
  const address = displayAddress(state.url);
  const unwatched = unwatchedDbs(state);
  const warnings: TargetWarning[] = [];
  const major = Number(facts.version?.split('.')[0]);
  if (facts.version !== null && major < 7) {
    warnings.push({
      code: 'old-redis',
      message: `Redis ${facts.version} does not announce new keys (class n) and has no EVAL_RO; an acquire and a renewal are told apart by value only.`,
      remedy: 'Upgrade to Redis 7.0 or newer.',
    });
  }
  if ((facts.maxMemory ?? 0) > 0 && facts.evictionPolicy && facts.evictionPolicy !== 'noeviction') {
    warnings.push({
      code: 'eviction-risk',
      message: `maxmemory-policy is ${facts.evictionPolicy}: under memory pressure Redis may evict locks that are held.`,
      remedy: 'CONFIG SET maxmemory-policy noeviction (or move the locks to a Redis of their own)',
    });
  }
  if (facts.role === 'replica') {
    warnings.push({
      code: 'replica-attached',
      message: `${address} is a replica: a lapsed lease looks like a release there, and locks cannot be released.`,
      remedy: 'Point LOCKSCOPE_REDIS_URL at the primary.',
    });
  }
  if (facts.writesStopped) {
    warnings.push({
      code: 'blind',
      message:
        'The last background save failed; Redis may refuse writes, so locks can neither be taken nor released.',
      remedy: 'Check disk space and the Redis log, then run BGSAVE.',
    });
  }
  if (state.insecure) {
    warnings.push({
      code: 'insecure-redis',
      message: `${address} answers without a password: anybody who reaches it can take and delete locks.`,
      remedy:
        'ACL SETUSER default resetpass (with users of their own), or CONFIG SET requirepass <password>',
    });
  }
  if (unwatched.length > 0) {
    const all = [...state.dbs, ...unwatched].sort((a, b) => a - b);
    const names = unwatched.join(', ');
    const many = unwatched.length > 1;
    warnings.push({
      code: 'db-mismatch',
      message: `db ${names} ${many ? 'have' : 'has'} keys and ${many ? 'are' : 'is'} not watched`,
      remedy: `LOCKSCOPE_DBS=${all.join(',')}`,
    });
  }
  return warnings;
}

/** Who subscribes by prefix may use all channels, and another channel rule would be refused. */
function releaseRules({ sight }: NodeState): string {
  const isNarrow = sight.subscribed.patterns.some((pattern) => !/^__key\w+@\*__:\*$/.test(pattern));
  return isNarrow ? RELEASE_RULES : `${RELEASE_RULES} ${WAKE_CHANNEL_RULE}`;
}

/** Rules that would give the user what is missing, in the form of ACL SETUSER. */
export function missingRules(state: NodeState): { capability: string; rule: string }[] {
  const { facts, url } = state;
  const needed: [capability: Capability, rule: string][] = [
    ['config', '+config|get'],
    ['info', '+info'],
    ['client', '+client|list'],
    ['eval', releaseRules(state)],
    ['pubsub', '+pubsub'],
  ];
  const rules: [string, string][] = needed.filter(([name]) => !facts.capabilities[name]);
  if (state.sight.subscribed.refusal !== null) {
    rules.push(['psubscribe', `+psubscribe ${CHANNEL_RULES}`]);
  }
  return [...rules, ...state.otherRules].map(([capability, rule]) => ({
    capability,
    rule: `ACL SETUSER ${userOf(url)} ${rule}`,
  }));
}
