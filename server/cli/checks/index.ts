import type { Settings } from '@/server/config';
import { displayAddress, userOf } from '@/server/redis/connection-options';
import { ok, unknown, type Check, type CheckResult, type Patient } from './check';
import { dbMismatch, emptyKeys } from './databases';
import { clock, persistence, replicas } from './durability';
import { withPatient } from './patient';
import { consolePermissions, lockPermissions } from './permissions';
import { redisSaid } from './redis-answer';
import { accessControl, eviction, notifications, version } from './server';
import { SETTINGS_CHECKS } from './settings';
import { unreachable } from './unreachable';

/** In the order in which they are told: first what keeps locks from working at all. */
const CHECKS: readonly Check[] = [
  version,
  accessControl,
  lockPermissions,
  dbMismatch,
  emptyKeys,
  eviction,
  persistence,
  replicas,
  clock,
  notifications,
  consolePermissions,
];

/** Where Redis answers with an error (LOADING, BUSY) nothing was found out, and the other checks go on. */
async function answered({ id, run }: Check, patient: Patient): Promise<CheckResult> {
  try {
    return { id, ...(await run(patient)) };
  } catch (error) {
    const said = redisSaid(error);
    if (said === null) throw error;
    return { id, ...unknown(`Redis did not tell: ${said}.`) };
  }
}

async function examineServer(settings: Settings): Promise<CheckResult[]> {
  const { redis } = settings;
  return await withPatient(settings, async (patient) => {
    const where = `${displayAddress(redis.url)}, db ${redis.db}, user ${userOf(redis.url)}`;
    const results: CheckResult[] = [{ id: 'connection', ...ok(`Redis answers at ${where}.`) }];
    for (const check of CHECKS) results.push(await answered(check, patient));
    return results;
  });
}

/** Everything that can be found out, in order. Changes nothing. */
export async function examine(settings: Settings): Promise<CheckResult[]> {
  const ofSettings = SETTINGS_CHECKS.map(({ id, run }) => ({ id, ...run(settings) }));
  try {
    return [...(await examineServer(settings)), ...ofSettings];
  } catch (error) {
    return [unreachable(error, settings), ...ofSettings];
  }
}
