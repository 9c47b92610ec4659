import type { TargetWarning } from '@/lib/protocol/target';
import type { Capability, ServerFacts } from './server-facts';
import { blindTo, isBlind, type Sight } from './sight';
import { ALL_KEYEVENT, ALL_KEYSPACE, type EventMode } from './subscription';

export interface WarningFacts {
  facts: ServerFacts;
  user: string;
  address: string;
  connected: boolean;
  /** The last error of the connection, while it is down. */
  connectionError: string | null;
  speaksResp3: boolean;
  mode: EventMode;
  /** Redis's refusal of PSUBSCRIBE when every way to subscribe was refused. */
  subscribeRefusal: string | null;
  sight: Sight | null;
  dbs: readonly number[];
  unwatchedDbs: readonly number[];
  insecure: boolean;
  bufferCutRecently: boolean;
  /** What keeps failing, by name of the task. */
  problems: ReadonlyMap<string, string>;
}

const CHANNEL_RULES = `&${ALL_KEYSPACE} &${ALL_KEYEVENT}`;
const WANTED_FLAGS = 'KEAn';

/** Everything an operator should know about this node, each with a remedy that can be pasted. */
export function nodeWarnings(state: WarningFacts): TargetWarning[] {
  return [
    ...connectionWarnings(state),
    ...sightWarnings(state),
    ...serverWarnings(state),
    ...[...state.problems].map(([task, message]) => ({
      code: 'blind',
      message: `Lockscope could not ${task}: ${message}.`,
      remedy: `Check the rights of user ${state.user} and the health of ${state.address}.`,
    })),
  ];
}

function connectionWarnings(state: WarningFacts): TargetWarning[] {
  const warnings: TargetWarning[] = [];
  if (!state.connected) {
    warnings.push({
      code: 'blind',
      message: `The connection to ${state.address} is down${state.connectionError ? ` (${state.connectionError})` : ''}; nothing shown is current.`,
      remedy: 'Lockscope keeps reconnecting; check that Redis runs and can be reached.',
    });
  }
  if (state.bufferCutRecently) {
    warnings.push({
      code: 'buffer-cut',
      message:
        'Redis cut off our event connection because events came faster than they were read; events were lost and all locks were read again.',
      remedy: 'CONFIG SET client-output-buffer-limit "pubsub 256mb 64mb 60"',
    });
  }
  return warnings;
}

function sightWarnings(state: WarningFacts): TargetWarning[] {
  if (!state.connected) return [];
  if (!state.speaksResp3) {
    return [
      {
        code: 'blind',
        message:
          'The server does not speak RESP3 (HELLO 3 was refused), so no events are received; locks are read by polling.',
        remedy: 'Use Redis 7.0 or newer, or allow HELLO.',
      },
    ];
  }
  if (state.subscribeRefusal !== null) {
    return [
      {
        code: 'blind',
        message: `User ${state.user} may not subscribe to keyspace events (${state.subscribeRefusal}); locks are read by polling and short holds are missed.`,
        remedy: `ACL SETUSER ${state.user} +psubscribe ${CHANNEL_RULES}`,
      },
    ];
  }
  const { sight, facts } = state;
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
      message: `Redis does not announce ${blind.join(', ')} (${setting})${isBlind(sight) ? '; locks are read by polling instead' : ''}.`,
      remedy: facts.capabilities.config
        ? `CONFIG SET notify-keyspace-events ${WANTED_FLAGS}`
        : `Set the parameter notify-keyspace-events to ${WANTED_FLAGS} in your provider's parameter group or console (CONFIG is not allowed for user ${state.user}).`,
    },
  ];
}

function serverWarnings(state: WarningFacts): TargetWarning[] {
  const { facts, address } = state;
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
  if (state.unwatchedDbs.length > 0) {
    const all = [...state.dbs, ...state.unwatchedDbs].sort((a, b) => a - b);
    const names = state.unwatchedDbs.join(', ');
    const many = state.unwatchedDbs.length > 1;
    warnings.push({
      code: 'db-mismatch',
      message: `db ${names} ${many ? 'have' : 'has'} keys and ${many ? 'are' : 'is'} not watched`,
      remedy: `LOCKSCOPE_DBS=${all.join(',')}`,
    });
  }
  return warnings;
}

/** Rules that would give the user what is missing, in the form of ACL SETUSER. */
export function missingRules(
  state: Pick<WarningFacts, 'facts' | 'user' | 'subscribeRefusal'>,
  others: ReadonlyMap<string, string>,
): { capability: string; rule: string }[] {
  const needed: Record<Capability, string> = {
    config: '+config|get',
    info: '+info',
    client: '+client|list',
    eval: state.facts.version?.startsWith('6.')
      ? '+eval +evalsha'
      : '+eval_ro +evalsha_ro +eval +evalsha',
    pubsub: '+pubsub',
  };
  const rules = (Object.keys(needed) as Capability[])
    .filter((capability) => !state.facts.capabilities[capability])
    .map((capability) => ({ capability: String(capability), rule: needed[capability] }));
  if (state.subscribeRefusal !== null) {
    rules.push({ capability: 'psubscribe', rule: `+psubscribe ${CHANNEL_RULES}` });
  }
  for (const [capability, rule] of others) rules.push({ capability, rule });
  return rules.map(({ capability, rule }) => ({
    capability,
    rule: `ACL SETUSER ${state.user} ${rule}`,
  }));
}
