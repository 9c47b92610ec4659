import type { Bytes } from '@/lib/protocol/bytes';
import type { EventConnection } from '@/server/redis/event-connection';
import { RespError, type RespValue } from '@/server/redis/resp-reader';
import type { Proof } from './sight';

export const CANARY_PREFIX = 'lockscope:canary:';

/** The keys disappear by themselves if we die between writing and deleting them. */
const CANARY_TTL_MS = 10_000;
/** The lapsing key has a time to live of 1 ms; it is touched after this. */
const LAPSE_WAIT_MS = 6;

export interface CanaryVerdict {
  proof: Proof;
  /** From sending the SET to its event, or to its reply where no event came. */
  ms: number;
  /** The server refused the writes (ACL, replica, out of memory): the refusal. */
  refusal: string | null;
}

/**
 * Writes own keys on the event connection and watches for their events. A PING closes each step: when it
 * is answered, every event of the step has arrived or never will, so the verdict needs no timeout.
 */
export interface Canary {
  /** Runs once; `done` is not called when the connection is lost on the way. */
  run: (db: number, done: (verdict: CanaryVerdict) => void) => void;
  /** Takes an event of a canary key, ours or another console's. */
  observe: (key: Bytes, event: string) => void;
  /** The connection was lost: the run in progress is void. */
  reset: () => void;
}

export function createCanary(
  connection: EventConnection,
  options: { id: string; now: () => number },
): Canary {
  const key = (suffix: string): Bytes => `${CANARY_PREFIX}${options.id}:${suffix}`;
  const text = key('s');
  const hash = key('h');
  const zset = key('z');
  const lapsing = key('x');
  let seen = new Set<string>();
  let run = 0;
  let stringSeenAt: number | null = null;

  const start = (db: number, done: (verdict: CanaryVerdict) => void): void => {
    const current = ++run;
    const startedAt = options.now();
    const refused = new Set<Bytes>();
    let refusal: string | null = null;
    seen = new Set();
    stringSeenAt = null;
    const send = (...args: (Bytes | number)[]): void =>
      connection.sendIn(db, args, (reply: RespValue) => {
        if (!(reply instanceof RespError)) return;
        refusal = reply.message;
        refused.add(`${args[0] === 'DEL' ? 'DEL ' : ''}${args[1]}`);
      });
    const proof = (sent: Bytes, event: string): boolean | null =>
      refused.has(sent) || (event === 'del' && refused.has(`DEL ${sent}`))
        ? null
        : seen.has(`${sent} ${event}`);
    const finish = (): void => {
      if (current !== run) return;
      done({
        proof: {
          string: proof(text, 'set'),
          hash: proof(hash, 'hset'),
          zset: proof(zset, 'zadd'),
          release: proof(text, 'del'),
          lapse: proof(lapsing, 'expired'),
        },
        ms: (stringSeenAt ?? options.now()) - startedAt,
        refusal,
      });
    };
    const secondStep = (): void => {
      if (current !== run) return;
      send('EXISTS', lapsing);
      send('DEL', hash);
      send('DEL', zset);
      connection.send(['PING'], finish);
    };
    send('SET', text, '1', 'PX', CANARY_TTL_MS);
    send('HSET', hash, 'f', '1');
    send('PEXPIRE', hash, CANARY_TTL_MS);
    // An unchanged score makes no event, and a run cut short leaves its keys behind.
    send('ZADD', zset, current, 'm');
    send('PEXPIRE', zset, CANARY_TTL_MS);
    send('DEL', text);
    send('SET', lapsing, '1', 'PX', 1);
    connection.send(['PING'], () => {
      if (current === run) setTimeout(secondStep, LAPSE_WAIT_MS).unref();
    });
  };

  return {
    run: start,
    observe: (observed, event) => {
      if (!observed.startsWith(key(''))) return;
      if (observed === text && event === 'set') stringSeenAt ??= options.now();
      seen.add(`${observed} ${event}`);
    },
    reset: () => {
      run++;
    },
  };
}
