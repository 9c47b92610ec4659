import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { BlameRow, Rollup, WaitRow } from './history-contract';

/**
 * What a row takes of memory while it waits, about: its objects as V8 keeps them on 64 bits, measured, and the texts
 * that are its own. Names of classes, formats and targets are shared by many and not counted.
 */
const HOLD_BYTES = 650;
const WAIT_BYTES = 300;
const ROLLUP_BYTES = 400;
const SKETCH_BYTES = 200;
const BLAME_BYTES = 250;
const LOCK_BYTES = 80;

export const holdBytes = ({ key }: LockRecord, { token, businessId }: HoldRecord): number =>
  HOLD_BYTES + key.length + (token?.length ?? 0) + (businessId?.length ?? 0);

export const waitBytes = ({ key, owner }: WaitRow): number =>
  WAIT_BYTES + key.length + (owner?.length ?? 0);

export function rollupBytes({ lock, sketches }: Rollup): number {
  let bytes = ROLLUP_BYTES + (lock ? LOCK_BYTES + lock.key.length : 0);
  for (const sketch of Object.values(sketches)) bytes += SKETCH_BYTES + sketch.length;
  return bytes;
}

export const blameBytes = ({ lock, owner }: BlameRow): number =>
  BLAME_BYTES + (lock ? LOCK_BYTES + lock.key.length : 0) + (owner?.length ?? 0);
