import type { Redis } from 'ioredis';

/**
 * A place that several may be in at once, within limits. It is spoken to on a Redis of its own; whoever finds it
 * fuller than a working lock allows is written down.
 */
export interface Crowd {
  /** `limits`: of each place that is looked at, how many may be there when this one comes. */
  enter: (place: string, who: Visitor, limits: { [place: string]: number }) => Promise<void>;
  leave: (place: string, who: Visitor) => Promise<void>;
  /** Its visitors count until then, epoch ms: so long, at least, do the leases last that it has left. */
  died: (process: string, leasesEndAt: number) => Promise<void>;
  accuse: (sentence: string) => Promise<void>;
  read: () => Promise<{ visits: { [place: string]: number }; accusations: string[] }>;
}

export interface Visitor {
  /** Unique in the run. */
  id: string;
  process: string;
}

const PLACES = 'places';
const VISITS = 'visits';
const ACCUSATIONS = 'accusations';

/** KEYS: accusations, visits, places, the place, those looked at. ARGV: visitor, name of the place, a limit for each. */
const ENTER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 5, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  local inside = redis.call('ZRANGE', KEYS[i], 0, -1)
  if #inside > tonumber(ARGV[i - 2]) then
    redis.call('RPUSH', KEYS[1], ARGV[1] .. ' entered ' .. KEYS[4] .. ' while ' .. KEYS[i] .. ' had ' .. table.concat(inside, ', '))
  end
end
redis.call('ZADD', KEYS[4], '+inf', ARGV[1])
redis.call('SADD', KEYS[3], KEYS[4])
redis.call('HINCRBY', KEYS[2], ARGV[2], 1)`;

const keyOf = (place: string): string => `crowd:${place}`;
const memberOf = ({ process, id }: Visitor): string => `${process}/${id}`;

export function createCrowd(redis: Redis): Crowd {
  return {
    enter: async (place, who, limits) => {
      const looked = Object.keys(limits).map(keyOf);
      const counts = Object.values(limits).map(String);
      const keys = [ACCUSATIONS, VISITS, PLACES, keyOf(place), ...looked];
      await redis.eval(ENTER, keys.length, ...keys, memberOf(who), place, ...counts);
    },
    leave: async (place, who) => void (await redis.zrem(keyOf(place), memberOf(who))),
    died: async (process, leasesEndAt) => {
      for (const key of await redis.smembers(PLACES)) {
        for (const member of await redis.zrange(key, '0', '-1')) {
          if (!member.startsWith(`${process}/`)) continue;
          await redis.zadd(key, 'XX', leasesEndAt, member);
        }
      }
    },
    accuse: async (sentence) => void (await redis.rpush(ACCUSATIONS, sentence)),
    read: async () => {
      const visits = await redis.hgetall(VISITS);
      return {
        visits: Object.fromEntries(Object.entries(visits).map(([at, n]) => [at, Number(n)])),
        accusations: await redis.lrange(ACCUSATIONS, 0, -1),
      };
    },
  };
}
