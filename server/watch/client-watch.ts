import type { Redis } from 'ioredis';
import { readClientList } from './client-list';
import type { ClientsObservation } from './observation';
import type { ProbeLoads } from './probe-load';

/** Who holds is asked after more seldom than who waits: a holder counts as gone after a minute. */
const OWNERS_EVERY_MS = 10_000;
/** A list may take this share of the time between two. */
const REST_TIMES = 50;
/** Redis prints a client in a few microseconds: what took longer than this for each was ourselves being held up. */
const MOST_MS_PER_CLIENT = 0.05;

/** What CLIENT LIST would help with now: whether somebody waits, whether holders are there, or nothing. */
export type ClientQuestion = 'waiters' | 'owners' | null;

/** Looks at the list of clients as seldom as the questions allow: it is dear where there are many. */
export interface ClientWatch {
  run: (redis: Redis) => Promise<void>;
}

export function createClientWatch(options: {
  loads: Pick<ProbeLoads, 'asked'>;
  question: () => ClientQuestion;
  deliver: (seen: ClientsObservation) => void;
  now: () => number;
}): ClientWatch {
  const { loads, now } = options;
  let askedAt = 0;
  let restUntil = 0;

  return {
    run: async (redis) => {
      const at = now();
      if (at < restUntil) return;
      const question = options.question();
      if (question === null || (question === 'owners' && at - askedAt < OWNERS_EVERY_MS)) return;
      askedAt = at;
      const began = performance.now();
      const reply = await redis.callBuffer('CLIENT', ['LIST']);
      const ms = performance.now() - began;
      const seen = readClientList(Buffer.isBuffer(reply) ? reply.toString('latin1') : '');
      const { clients, ...told } = seen;
      restUntil = at + Math.min(ms, clients * MOST_MS_PER_CLIENT) * REST_TIMES;
      loads.asked('clients', { commands: 1, ms, locks: clients });
      options.deliver({ kind: 'clients', at: now(), ...told });
    },
  };
}
