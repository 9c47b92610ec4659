import { Redis } from 'ioredis';

/** A connection of its own on that port, on `options.db`. */
export const connect = (port, options = {}) =>
  new Redis({ host: '127.0.0.1', port, db: options.db ?? 0 });

export const WAIT_MS = 20_000;

/** How many retries at that pause fill the time to wait. */
export const retriesFor = (options, retryMs) =>
  Math.max(1, Math.ceil((options.waitMs ?? WAIT_MS) / retryMs));
