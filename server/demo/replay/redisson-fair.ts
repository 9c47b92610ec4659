import type { Redis } from 'ioredis';
import type { Random } from '@/server/demo/random';
import type { ServiceContext } from '@/server/demo/service';

const LEASE_MS = 30_000;
const WAIT_MS = 300_000;

/**
 * Takes a fair lock as Redisson 4 lays it out, or joins its queue.
 * KEYS: lock hash, queue list, deadlines zset. ARGV: lease ms, owner, wait ms, now (epoch ms).
 * Returns nil when taken, else the ms after which to try again. One script, so that queue and lock agree.
 */
const ACQUIRE = `
local head = redis.call('LINDEX', KEYS[2], 0)
while head do
  local deadline = redis.call('ZSCORE', KEYS[3], head)
  if deadline and tonumber(deadline) > tonumber(ARGV[4]) then break end
  redis.call('ZREM', KEYS[3], head)
  redis.call('LPOP', KEYS[2])
  head = redis.call('LINDEX', KEYS[2], 0)
end
if redis.call('EXISTS', KEYS[1]) == 0 and (not head or head == ARGV[2]) then
  redis.call('LPOP', KEYS[2])
  redis.call('ZREM', KEYS[3], ARGV[2])
  for _, waiting in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
    redis.call('ZINCRBY', KEYS[3], -tonumber(ARGV[3]), waiting)
  end
  redis.call('HSET', KEYS[1], ARGV[2], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return nil
end
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
  redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return nil
end
local ttl = math.max(redis.call('PTTL', KEYS[1]), 0)
if not redis.call('ZSCORE', KEYS[3], ARGV[2]) then
  local last = redis.call('LINDEX', KEYS[2], -1)
  local after = last and tonumber(redis.call('ZSCORE', KEYS[3], last)) or tonumber(ARGV[4]) + ttl
  redis.call('ZADD', KEYS[3], after + tonumber(ARGV[3]), ARGV[2])
  redis.call('RPUSH', KEYS[2], ARGV[2])
end
return ttl`;

/**
 * Gives a hold back and wakes the head of the queue.
 * KEYS: lock hash, queue list. ARGV: owner, channel prefix. Returns nil when the owner holds nothing.
 */
const RELEASE = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
redis.call('DEL', KEYS[1])
local head = redis.call('LINDEX', KEYS[2], 0)
if head then redis.call('PUBLISH', ARGV[2] .. head, '0') end
return 1`;

/** KEYS: lock hash. ARGV: owner, lease ms. Returns 1 while the owner still holds it. */
const RENEW = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

const LEAVE = `redis.call('LREM', KEYS[2], 0, ARGV[1]) return redis.call('ZREM', KEYS[3], ARGV[1])`;

const namesOf = (lock: string): [string, string, string] => [
  lock,
  `redisson_lock_queue:{${lock}}`,
  `redisson_lock_timeout:{${lock}}`,
];
const channelPrefix = (lock: string): string => `redisson_lock__channel:{${lock}}:`;

/** One Java process with Redisson, as Redis sees it: fair locks, waiters that sleep on channels, a watchdog. */
export class FairClient {
  readonly #instance: string;
  readonly #commands: Redis;
  readonly #subscriber: Redis;
  readonly #sleepers = new Map<string, () => void>();
  /** Channels on which a wake-up came while nobody slept: it counts for the next sleep. */
  readonly #woken = new Set<string>();
  readonly #held = new Set<string>();
  readonly #watchdog: NodeJS.Timeout;

  constructor(context: ServiceContext, random: Random = context.random) {
    this.#instance = random.uuid();
    this.#commands = context.connect();
    this.#subscriber = context.connect();
    this.#subscriber.on('message', (channel: string) => {
      const wake = this.#sleepers.get(channel);
      if (wake) wake();
      else this.#woken.add(channel);
    });
    this.#watchdog = setInterval(() => void this.#renewAll().catch(context.report), LEASE_MS / 3);
    this.#watchdog.unref();
  }

  ownerOf(thread: number): string {
    return `${this.#instance}:${thread}`;
  }

  /** Takes the lock, waiting in its queue for at most `patienceMs`. False when it gave up. */
  async acquire(lock: string, thread: number, patienceMs = WAIT_MS): Promise<boolean> {
    const owner = this.ownerOf(thread);
    const channel = channelPrefix(lock) + owner;
    const giveUpAt = Date.now() + patienceMs;
    let subscribed = false;
    try {
      for (;;) {
        const retryMs = await this.#try(lock, owner);
        if (retryMs === null) {
          this.#held.add(`${owner} ${lock}`);
          return true;
        }
        if (Date.now() >= giveUpAt) {
          await this.#commands.eval(LEAVE, 3, ...namesOf(lock), owner);
          return false;
        }
        if (!subscribed) {
          await this.#subscriber.subscribe(channel);
          subscribed = true;
          continue;
        }
        await this.#sleep(channel, Math.min(retryMs + 1, giveUpAt - Date.now()));
      }
    } finally {
      if (subscribed) await this.#subscriber.unsubscribe(channel);
      this.#woken.delete(channel);
    }
  }

  /** False when the lock was no longer ours. */
  async release(lock: string, thread: number): Promise<boolean> {
    const owner = this.ownerOf(thread);
    this.#held.delete(`${owner} ${lock}`);
    const [hash, queue] = namesOf(lock);
    const released = await this.#commands.eval(RELEASE, 2, hash, queue, owner, channelPrefix(lock));
    return released === 1;
  }

  async #try(lock: string, owner: string): Promise<number | null> {
    const args = [LEASE_MS, owner, WAIT_MS, Date.now()];
    const answer = await this.#commands.eval(ACQUIRE, 3, ...namesOf(lock), ...args);
    return answer === null ? null : Number(answer);
  }

  async #sleep(channel: string, ms: number): Promise<void> {
    if (this.#woken.delete(channel)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#sleepers.set(channel, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#sleepers.delete(channel);
  }

  async #renewAll(): Promise<void> {
    for (const held of this.#held) {
      const [owner = '', lock = ''] = held.split(' ');
      const still = await this.#commands.eval(RENEW, 1, lock, owner, LEASE_MS);
      if (still !== 1) this.#held.delete(held);
    }
  }
}
