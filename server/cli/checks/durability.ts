import { displayAddress } from '@/server/redis/connection-options';
import { fail, ok, unknown, warn, type Check } from './check';

/** What a crash of Redis does to the locks that are held. */
export const persistence: Check = {
  id: 'persistence',
  run: async ({ info, config }) => {
    if (info === null) return unknown('Persistence cannot be read (INFO is forbidden).');
    if (info.get('aof_enabled') === '1' && info.get('aof_last_write_status') === 'err') {
      return fail(
        'The last write of the append-only file failed, so that Redis takes no writes and no locks.',
        'Make room on its disk; the log of Redis says more.',
      );
    }
    if (info.get('rdb_last_bgsave_status') === 'err') {
      const stops = (await config('stop-writes-on-bgsave-error')) !== 'no';
      const message = 'The last snapshot failed';
      const remedy = 'Make room on its disk; the log of Redis says more.';
      return stops
        ? fail(`${message}, so that Redis may take no writes and no locks.`, remedy)
        : warn(`${message}.`, remedy);
    }
    if (info.get('aof_enabled') !== '1') {
      return warn(
        'There is no append-only file: after a crash the locks that were held are free, while their holders still work.',
        'CONFIG SET appendonly yes, or have resources refuse old fencing tokens (lock.fence).',
      );
    }
    const sync = await config('appendfsync');
    return sync === 'always'
      ? ok('Every write is on disk before it is answered (appendfsync always).')
      : ok(
          `There is an append-only file${sync === null ? '' : ` (appendfsync ${sync})`}: a crash of the machine can forget the last second.`,
        );
  },
};

/** What a failover does to the locks that are held. */
export const replicas: Check = {
  id: 'replicas',
  run: async ({ facts, info, config, settings }) => {
    if (info === null) return unknown('Role and replicas cannot be read (INFO is forbidden).');
    if (facts.role === 'replica') {
      const primary = `${info.get('master_host') ?? '?'}:${info.get('master_port') ?? '?'}`;
      return fail(
        `${displayAddress(settings.redis.url)} is a replica, which takes no locks.`,
        `Point redis_url at its primary, ${primary}.`,
      );
    }
    const least = await config('min-replicas-to-write');
    const good = info.get('min_slaves_good_slaves');
    if (least !== null && good !== undefined && Number(good) < Number(least)) {
      return fail(
        `Redis wants ${least} replicas at hand before it writes (min-replicas-to-write) and has ${good}, so it gives no locks.`,
        'Bring the replicas back, or CONFIG SET min-replicas-to-write lower.',
      );
    }
    if (facts.replicas === 0) return ok('There are no replicas, so no failover can lose a lock.');
    const count = `${facts.replicas} replica${facts.replicas === 1 ? '' : 's'}`;
    if (least === null) {
      return unknown(
        `There are ${count}; whether writes wait for them cannot be read (CONFIG is forbidden).`,
        'Have min-replicas-to-write set to 1 or more.',
      );
    }
    if (Number(least) > 0) {
      return ok(
        `There are ${count}; a primary that is cut off from them stops (min-replicas-to-write ${least}).`,
      );
    }
    return warn(
      `There are ${count}, and min-replicas-to-write is 0: a primary that was cut off goes on giving out locks beside its successor.`,
      'CONFIG SET min-replicas-to-write 1 and CONFIG SET min-replicas-max-lag 10; for more, Redlock over independent servers.',
    );
  },
};

const SAMPLES = 5;
const MAX_OFFSET_MS = 1_000;

/** The clock of Redis against ours, by the quickest of a few answers: half its round trip is the error. */
export const clock: Check = {
  id: 'clock',
  run: async ({ redis, now }) => {
    let best = { roundTripMs: Infinity, offsetMs: 0 };
    for (let sample = 0; sample < SAMPLES; sample++) {
      const sentAt = now();
      const startedAt = performance.now();
      const [seconds = 0, micros = 0] = await redis.time();
      const roundTripMs = performance.now() - startedAt;
      if (roundTripMs < best.roundTripMs) {
        const redisAt = Number(seconds) * 1000 + Number(micros) / 1000;
        best = { roundTripMs, offsetMs: redisAt - (sentAt + roundTripMs / 2) };
      }
    }
    const { offsetMs, roundTripMs } = best;
    // Our own clock is read in whole milliseconds.
    const errorMs = Math.ceil(roundTripMs / 2) + 1;
    const size = `${Math.round(Math.abs(offsetMs))} ms (± ${errorMs} ms)`;
    if (Math.abs(offsetMs) - errorMs <= MAX_OFFSET_MS) {
      return ok(`The clocks of Redis and of this machine are ${size} apart.`);
    }
    return warn(
      `The clock of Redis is ${size} ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine's: locks are not harmed, but times in logs do not match.`,
      'Have both machines follow NTP.',
    );
  },
};
