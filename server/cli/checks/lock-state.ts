import type { Settings } from '@/server/config';
import { displayAddress } from '@/server/redis/connection-options';
import type { Check, CheckResult, Patient } from './check';
import { dbMismatch } from './databases';
import { withPatient } from './patient';
import { lockPermissions } from './permissions';
import { roundTrip } from './round-trip';
import { accessControl, version } from './server';
import { dbNamed, enabled } from './settings';
import { unreachable } from './unreachable';

export interface LockState {
  state: 'active' | 'inactive';
  /** The id of the check that failed; null while active. */
  cause: string | null;
  message: string;
  remedy: string | null;
  /** What works now and may not always. */
  notes: string[];
}

/** What the client would refuse, told before it does, with the remedy. */
const BEFORE: readonly Check[] = [version, accessControl, lockPermissions];

const inactive = ({ id, message, remedy }: CheckResult): LockState => ({
  state: 'inactive',
  cause: id,
  message,
  remedy,
  notes: [],
});

async function firstRefusal(patient: Patient): Promise<CheckResult | null> {
  for (const { id, run } of BEFORE) {
    const verdict = await run(patient);
    if (verdict.state === 'fail') return { id, ...verdict };
  }
  return null;
}

async function stateOf(patient: Patient): Promise<LockState> {
  const { settings } = patient;
  const refused = await firstRefusal(patient);
  if (refused) return inactive(refused);
  const trip = await roundTrip(patient);
  if (trip.state === 'fail') return inactive(trip);
  const elsewhere = await dbMismatch.run(patient);
  if (elsewhere.state === 'fail') return inactive({ id: dbMismatch.id, ...elsewhere });
  const where = `${displayAddress(settings.redis.url)}, db ${settings.redis.db}`;
  return {
    state: 'active',
    cause: null,
    message: `${trip.message.replace(/\.$/, '')} (${where}).`,
    remedy: null,
    notes: [elsewhere, dbNamed.run(settings)]
      .filter(({ state }) => state !== 'ok')
      .map(({ message, remedy }) => (remedy === null ? message : `${message} ${remedy}`)),
  };
}

/** `active` only after a real acquire and release, and where no other db is used for the same locks. */
export async function lockState(settings: Settings): Promise<LockState> {
  const switchedOn = enabled.run(settings);
  if (switchedOn.state === 'fail') return inactive({ id: 'disabled', ...switchedOn });
  try {
    return await withPatient(settings, stateOf);
  } catch (error) {
    return inactive(unreachable(error, settings));
  }
}
