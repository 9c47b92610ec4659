import { isCodedError } from '@/lib/protocol/errors';
import { isRefusal } from '@/server/redis/redis-error';
import { printable } from '@/server/cli/output';
import { fail, ok, unknown, type Check, type Patient, type Verdict } from './check';
import { clientsIn, dbsOf, endOfLook, listeningClients, lookUnder } from './look-around';

interface OtherDb {
  db: number;
  /** A lock that is held there now. */
  lock: string | null;
  clients: number;
  complete: boolean;
}

async function lookInto(
  patient: Patient,
  db: number,
  { instances, endsAt }: { instances: readonly string[]; endsAt: number },
): Promise<OtherDb> {
  const redis = await patient.inDb(db);
  const [{ keys, complete }, clients] = await Promise.all([
    lookUnder(redis, { prefix: patient.prefix, most: 1, endsAt }),
    clientsIn(redis, instances),
  ]);
  return { db, lock: keys[0] ?? null, clients, complete: complete || keys.length > 0 };
}

function described({ db, lock, clients }: OtherDb): string {
  const facts = [
    ...(lock === null ? [] : [`holds ${printable(lock)}`]),
    ...(clients === 0 ? [] : [`has ${clients} lock client${clients === 1 ? '' : 's'}`]),
  ];
  return `db ${db} ${facts.join(' and ')}`;
}

function judge(patient: Patient, found: readonly OtherDb[]): Verdict {
  const { redis, provider } = patient.settings;
  const used = found.filter(({ lock, clients }) => lock !== null || clients > 0);
  if (used.length > 0) {
    return fail(
      `These settings use db ${redis.db}, but ${used.map(described).join(', ')}: instances on different dbs lock each for themselves.`,
      `Give every instance the same db number in redis_url of ${provider.file}, for example ${redis.displayUrl}.`,
    );
  }
  const cut = found.filter(({ complete }) => !complete).map(({ db }) => db);
  if (cut.length > 0) {
    return unknown(
      `No lock was found outside db ${redis.db}, but db ${cut.join(', ')} holds too many keys to look at all.`,
    );
  }
  return ok(`Locks under ${patient.prefix} are in db ${redis.db} only.`);
}

/** A connection that may not SELECT fails as a whole, with Redis's word in its sentence. */
const isForbiddenDb = (error: unknown): boolean =>
  isCodedError(error) && error.message.includes('NOPERM');

/** Whether other dbs of this Redis are used for the same locks. */
export const dbMismatch: Check = {
  id: 'db-mismatch',
  run: async (patient) => {
    const own = patient.settings.redis.db;
    try {
      const instances = (await listeningClients(patient.redis)) ?? [];
      const bounds = { instances, endsAt: endOfLook() };
      const found: OtherDb[] = [];
      for (const db of await dbsOf(patient)) {
        if (db !== own) found.push(await lookInto(patient, db, bounds));
      }
      return judge(patient, found);
    } catch (error) {
      if (!isRefusal(error) && !isForbiddenDb(error)) throw error;
      return unknown('Other dbs cannot be looked into: this user may not run SCAN or SELECT.');
    }
  },
};

/** A name whose variable was empty or missing: nothing behind the last colon, or what missing became as text. */
const isEmptyName = (name: string): boolean =>
  name.trim() === '' || /:\s*$|(^|:)(undefined|null|NaN|\[object Object\])(:|$)/.test(name);

/** Locks that everybody competes for, because a variable of their template was empty. */
export const emptyKeys: Check = {
  id: 'empty-keys',
  run: async (patient) => {
    const { prefix, redis, settings } = patient;
    try {
      const { keys, complete } = await lookUnder(redis, {
        prefix,
        most: 5,
        endsAt: endOfLook(),
        wanted: (key) => isEmptyName(key.slice(prefix.length)),
      });
      if (keys.length > 0) {
        return fail(
          `${keys.map((key) => `"${printable(key)}"`).join(', ')}: a variable of the lock key template was empty, and all such events compete for one lock.`,
          'Have every event carry the field that its lock_key_template names.',
        );
      }
      return complete
        ? ok('No lock has an empty name.')
        : unknown(
            `No lock with an empty name was found, but db ${settings.redis.db} holds too many keys to look at all.`,
          );
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return unknown('Locks cannot be looked for: this user may not run SCAN.');
    }
  },
};
