import type { ConfigCheck, ConfigurationPage } from '@/lib/protocol/advice';
import { SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Verdict } from './config-check';
import {
  eviction,
  idleConnections,
  notifications,
  outputBuffer,
  persistence,
  replicaAcknowledgement,
  replicaNotifications,
  version,
} from './config-checks-redis';
import { multiLockSlots } from './config-checks-cluster';
import {
  accessControl,
  consoleRights,
  emptyKeys,
  independentNodes,
  oneDb,
  ownerCheck,
  retryDelay,
} from './config-checks-services';
import { readConfigFacts, type ConfigFacts } from './config-facts';
import type { QueryContext } from './query-context';

const CHECKS: Record<ConfigCheck['id'], (facts: ConfigFacts) => Verdict> = {
  'one-db': oneDb,
  'empty-keys': emptyKeys,
  'retry-delay': retryDelay,
  eviction,
  notifications,
  'replica-notifications': replicaNotifications,
  persistence,
  'replica-acknowledgement': replicaAcknowledgement,
  'independent-nodes': independentNodes,
  'multi-lock-slots': multiLockSlots,
  'owner-check': ownerCheck,
  'output-buffer': outputBuffer,
  'idle-connections': idleConnections,
  version,
  'access-control': accessControl,
  'console-rights': consoleRights,
};

const rankOf = ({ state, severity }: ConfigCheck): number => {
  if (state === 'wrong' && severity !== null) return SEVERITIES.indexOf(severity);
  return SEVERITIES.length + (state === 'unknown' ? 0 : 1);
};

/** Judges what was read; pure. */
function configChecks(facts: ConfigFacts): ConfigCheck[] {
  const ids = Object.keys(CHECKS) as ConfigCheck['id'][];
  const checks = ids.map((id) => ({ id, ...CHECKS[id](facts) }));
  return checks.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * How Redis, the services and the console are set, as far as locks depend on it: what is wrong and why, with the command that
 * sets it right; what could not be seen is unknown and never fine. Answers are remembered for ten seconds.
 */
export const configuration = (context: QueryContext): Promise<ConfigurationPage> =>
  context.adviceMemory.configuration.get('', context.now(), async () => {
    const facts = await readConfigFacts(context);
    return { at: context.now(), checks: configChecks(facts) };
  });
