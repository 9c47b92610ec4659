import { isRefusal } from '@/server/redis/redis-error';
import {
  answersWithoutPassword,
  displayAddress,
  hasPassword,
  userOf,
} from '@/server/redis/connection-options';
import { fail, ok, unknown, warn, type Check, type Patient } from './check';

const OLDEST = [7, 0] as const;

/** From INFO, or from HELLO where INFO is forbidden; null where neither tells. */
async function versionOf({ facts, redis }: Patient): Promise<string | null> {
  if (facts.version !== null) return facts.version;
  try {
    const reply: unknown = await redis.call('HELLO');
    if (!Array.isArray(reply)) return null;
    const value: unknown = reply[reply.indexOf('version') + 1];
    return typeof value === 'string' ? value : null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

export const version: Check = {
  id: 'version',
  run: async (patient) => {
    const found = await versionOf(patient);
    if (found === null) {
      return unknown(
        'This user may ask for the version neither by INFO nor by HELLO.',
        `ACL SETUSER ${userOf(patient.settings.redis.url)} +info`,
      );
    }
    const [major = 0, minor = 0] = found.split('.').map(Number);
    const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
    if (!isOld) return ok(`Redis ${found}.`);
    return fail(
      `Redis ${found} is older than ${OLDEST.join('.')}, and the lock client refuses it.`,
      `Upgrade to Redis ${OLDEST.join('.')} or newer.`,
    );
  },
};

export const accessControl: Check = {
  id: 'access-control',
  run: async ({ settings }) => {
    const { url } = settings.redis;
    const address = displayAddress(url);
    const isOpen = !hasPassword(url) || (await answersWithoutPassword(url));
    if (!isOpen) return ok(`${address} asks for a password; this is the user ${userOf(url)}.`);
    const message = `${address} has no access control: it answers everybody without a password, so that anybody can take a lock away.`;
    if (settings.allowInsecureRedis) {
      return warn(message, 'It is allowed by allow_insecure_redis; only for development.');
    }
    return fail(
      message,
      'CONFIG SET requirepass "<a long password>" and CONFIG REWRITE, then give it as redis_password.',
    );
  },
};

export const eviction: Check = {
  id: 'eviction',
  run: ({ facts }) => {
    const { maxMemory, evictionPolicy } = facts;
    if (maxMemory === null || evictionPolicy === null) {
      return unknown('The eviction policy cannot be read (INFO is forbidden).');
    }
    if (evictionPolicy === 'noeviction') return ok('Nothing is evicted (noeviction).');
    if (maxMemory === 0) {
      return ok(
        `The policy is ${evictionPolicy}, but there is no maxmemory, so nothing is evicted.`,
      );
    }
    return fail(
      `With maxmemory-policy ${evictionPolicy} a full Redis throws locks away while they are held.`,
      'CONFIG SET maxmemory-policy noeviction, or keep locks in a Redis of their own.',
    );
  },
};

const WANTED_FLAGS = 'KEAn';

export const notifications: Check = {
  id: 'notifications',
  run: ({ facts }) => {
    const flags = facts.notifyFlags;
    if (flags === null) {
      return unknown(
        'The notification flags cannot be read (CONFIG is forbidden); the console finds out by itself what it sees.',
        `Have notify-keyspace-events set to ${WANTED_FLAGS}.`,
      );
    }
    const has = (flag: string): boolean =>
      flags.includes(flag) || (flags.includes('A') && 'g$lshzxetd'.includes(flag));
    const missing = [...'g$hzxe'].filter((flag) => !has(flag));
    const isAnnounced = (flags.includes('K') || flags.includes('E')) && missing.length === 0;
    if (isAnnounced) return ok(`The console is told of changes (notify-keyspace-events ${flags}).`);
    return warn(
      `notify-keyspace-events is "${flags}": the console has to poll and misses short holds; locks work all the same.`,
      `CONFIG SET notify-keyspace-events ${WANTED_FLAGS}`,
    );
  },
};
