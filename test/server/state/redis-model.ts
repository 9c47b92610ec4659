import { START } from './scenario';

/** What really happened to one lock, as only Redis knows it. */
export interface TrueHold {
  token: string;
  since: number;
  end: number | null;
  reason: string | null;
  renewals: number;
  maxDepth: number;
  /** Whether the lease as it was at the end had been read. */
  wasLeaseRead: boolean;
}

export type Sink = {
  event: (at: number, ...names: string[]) => void;
  read: (at: number, holder: { token: string; depth: number; pttl: number } | null) => void;
};

/** A generator of numbers 0 ≤ n < 1 that repeats for a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * One key of a Redis with keyspace events `KEAn`, and its clients. `write` is the command that takes and
 * renews: `set` as redlock does, `hincrby` as Redisson does.
 */
export function createModel(write: 'set' | 'hincrby', leaseMs: number, sink: Sink) {
  const holds: TrueHold[] = [];
  let now = 0;
  let deadline = 0;
  let depth = 0;
  let tokens = 0;
  let isNamed = false;
  let open: TrueHold | null = null;

  const end = (reason: string, at: number): void => {
    if (open) Object.assign(open, { end: START + at, reason });
    open = null;
  };
  /** Redis drops a lapsed key when somebody touches it. */
  const touch = (): void => {
    if (!open || now < deadline) return;
    end('lease-ended', deadline);
    sink.event(now, 'expired');
  };
  const extend = (...names: string[]): void => {
    deadline = now + leaseMs;
    if (open) open.wasLeaseRead = false;
    sink.event(now, ...names);
  };
  const begin = (...names: string[]): void => {
    isNamed = false;
    depth = 1;
    open = {
      token: `00000000-0000-4000-8000-${String(++tokens).padStart(12, '0')}:1`,
      since: START + now,
      end: null,
      reason: null,
      renewals: 0,
      maxDepth: 1,
      wasLeaseRead: false,
    };
    holds.push(open);
    extend(...names, write, 'expire');
  };

  const model = {
    holds,
    pass: (ms: number) => {
      now += ms;
    },
    read: () => {
      touch();
      sink.read(now, open && { token: open.token, depth, pttl: deadline - now });
      isNamed = open !== null;
      if (open) open.wasLeaseRead = true;
    },
    acquire: () => {
      touch();
      if (!open) begin('new');
    },
    renew: (by: 'set' | 'expire') => {
      touch();
      if (!open) return;
      open.renewals++;
      if (by === 'set' && write === 'set') extend('set', 'expire');
      else extend('expire');
    },
    release: () => {
      touch();
      if (!open) return;
      // A Redisson release counts down to nothing, deeper holds first.
      for (; write === 'hincrby' && depth > 1; depth--) extend('hincrby', 'expire');
      end('released', now);
      sink.event(now, ...(write === 'hincrby' ? ['hincrby', 'del'] : ['del']));
    },
    reenter: () => {
      touch();
      if (!open || write !== 'hincrby') return;
      depth++;
      open.maxDepth = Math.max(open.maxDepth, depth);
      extend('hincrby', 'expire');
    },
    /** Only of a named holder, and read at once: events alone cannot tell it from a renewal. */
    overwrite: () => {
      touch();
      if (!open || !isNamed || write !== 'set') return;
      end('overwritten', now);
      begin();
      model.read();
    },
    evict: () => {
      touch();
      if (!open) return;
      end('evicted', now);
      sink.event(now, 'evicted');
    },
    /** FLUSHDB: no event; the next look finds it gone, at the latest at the next write. */
    flush: () => {
      touch();
      if (!open) return;
      end('vanished', now);
      model.read();
    },
  };
  return model;
}
