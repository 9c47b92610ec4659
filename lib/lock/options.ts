import type { AcquireOptions, LockClientOptions } from './contract.js';
import { LockError } from './errors.js';
import { checkNames } from './known-options.js';

export const DEFAULT_TTL_MS = 60_000;
export const DEFAULT_WAIT_MS = 30_000;
/** Below it a renewal at every third would come too late too often. */
const LEAST_TTL_MS = 100;
const MOST_TTL_MS = 24 * 3_600_000;
/** setTimeout takes no more. */
const MOST_TIMER_MS = 2_147_483_647;

const bad = (option: string, expected: string, given: unknown): LockError =>
  new LockError('BAD_OPTIONS', `${option} is ${shown(given)}; expected ${expected}.`, { option });

/** As in source text; JSON has no word for NaN. */
const shown = (given: unknown): string =>
  typeof given === 'number' ? String(given) : JSON.stringify(given);

/** Returns a lease in ms. Throws BAD_OPTIONS. */
export function validTtl(ttlMs: number, option = 'ttlMs'): number {
  if (Number.isInteger(ttlMs) && ttlMs >= LEAST_TTL_MS && ttlMs <= MOST_TTL_MS) return ttlMs;
  throw bad(option, `whole milliseconds from ${LEAST_TTL_MS} to ${MOST_TTL_MS}`, ttlMs);
}

/** Returns a wait in ms, `Infinity` cut to what a timer can take. Throws BAD_OPTIONS. */
export function validWait(waitMs: number): number {
  if (typeof waitMs === 'number' && waitMs >= 0) return Math.min(waitMs, MOST_TIMER_MS);
  throw bad('waitMs', 'milliseconds, 0 or more', waitMs);
}

/** Returns a semaphore's size. Throws BAD_OPTIONS. */
export function validPermits(permits: number): number {
  if (Number.isInteger(permits) && permits >= 1 && permits <= 1_000_000) return permits;
  throw bad('permits', 'a whole number from 1 to 1000000', permits);
}

const KNOWN = ['ttlMs', 'waitMs', 'fair', 'signal', 'businessId'];
const LONGEST_BUSINESS_ID = 256;

/** Throws BAD_OPTIONS for what an attempt cannot be made with. */
export function checkAcquireOptions(options: AcquireOptions): void {
  checkNames(options, KNOWN);
  if (options.fair !== undefined && typeof options.fair !== 'boolean') {
    throw bad('fair', 'true or false', options.fair);
  }
  const { businessId, signal } = options;
  if (signal !== undefined && !isSignal(signal))
    throw bad('signal', 'an AbortSignal', typeof signal);
  if (businessId === undefined) return;
  if (typeof businessId !== 'string' || businessId.length > LONGEST_BUSINESS_ID) {
    throw bad('businessId', `text of at most ${LONGEST_BUSINESS_ID} characters`, businessId);
  }
}

/** By its shape: another realm, or a polyfill, has a class of its own. */
const isSignal = (signal: AbortSignal | null): boolean =>
  typeof signal?.addEventListener === 'function' && typeof signal.aborted === 'boolean';

const NAMESPACE = /^[\w.-]{1,64}$/;

/** One with a colon would hold another one's locks: `pay` and `pay:eu`. Throws BAD_OPTIONS. */
export function checkNamespace(namespace: string): void {
  if (NAMESPACE.test(namespace)) return;
  throw bad('namespace', 'letters, digits, "_", "." and "-", at most 64', namespace);
}

const CLIENT_OPTIONS = [
  'redis',
  'nodes',
  'prefix',
  'namespace',
  'ttlMs',
  'waitMs',
  'fair',
  'app',
  'reports',
  'limits',
  'adaptiveLease',
  'allowInsecure',
  'log',
];

/** Throws BAD_OPTIONS for what a client cannot be made with. */
export function checkClientOptions(options: LockClientOptions): void {
  checkNames(options, CLIENT_OPTIONS);
  const { redis, nodes, namespace, reports } = options;
  if ((redis === undefined) === (nodes === undefined)) {
    throw new LockError('BAD_OPTIONS', 'Give either redis or nodes.', { option: 'redis' });
  }
  for (const connection of redis ? [redis] : (nodes ?? [])) checkConnection(connection);
  if (nodes && (nodes.length < 3 || nodes.length % 2 === 0)) {
    throw bad('nodes', 'three or another odd number of servers', nodes.length);
  }
  if (namespace !== undefined) checkNamespace(namespace);
  if (reports !== undefined && !['off', 'contended', 'all'].includes(reports)) {
    throw bad('reports', '"off", "contended" or "all"', reports);
  }
  if (options.ttlMs !== undefined) validTtl(options.ttlMs);
  if (options.waitMs !== undefined) validWait(options.waitMs);
  checkRates(options);
}

function checkConnection(connection: NonNullable<LockClientOptions['redis']>): void {
  if (typeof connection?.evalsha !== 'function' || typeof connection.duplicate !== 'function') {
    throw bad('redis', 'an ioredis connection', typeof connection);
  }
  if (connection.options.keyPrefix) {
    throw new LockError(
      'BAD_OPTIONS',
      'The ioredis connection has a keyPrefix, which would change our keys but not our channels; give `prefix` to createLockClient instead.',
      { option: 'redis.keyPrefix' },
    );
  }
}

function checkRates({ limits, adaptiveLease }: LockClientOptions): void {
  checkNames(limits ?? {}, ['attemptsPerSecond', 'namespaceAttemptsPerSecond'], 'limits.');
  for (const [name, rate] of Object.entries(limits ?? {})) {
    if (!Number.isFinite(rate) || rate <= 0)
      throw bad(`limits.${name}`, 'a number of attempts a second above 0', rate);
  }
  if (!adaptiveLease) return;
  const { minMs, maxMs } = adaptiveLease;
  checkNames(adaptiveLease, ['minMs', 'maxMs'], 'adaptiveLease.');
  validTtl(minMs, 'adaptiveLease.minMs');
  validTtl(maxMs, 'adaptiveLease.maxMs');
  if (minMs > maxMs) throw bad('adaptiveLease.minMs', 'no more than maxMs', minMs);
}
