import { createFormatTable } from '@/lib/formats';
import type { RawValue } from '@/lib/formats/format';
import { classify } from '@/lib/analysis/lock-class';
import type { CanSee } from '@/lib/protocol/target';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { createLockTable } from '@/server/state/lock-table';
import type { LockTable } from '@/server/state/table-contract';
import type { GapObservation, Observation, ReadObservation } from '@/server/watch/observation';

export const SEES_ALL: CanSee = { acquire: true, release: true, lapse: true, eviction: true };
export const START = 1_800_000_000_000;
export const UUID_A = 'b983c153-7421-469a-addb-44fb92259a1b';
export const UUID_B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60';

export const text = (bytes: string): RawValue => ({
  type: 'string',
  bytes,
  size: bytes.length,
  truncated: false,
});
export const hash = (fields: Record<string, string>): RawValue => ({
  type: 'hash',
  fields: Object.entries(fields),
  size: Object.keys(fields).length,
  truncated: false,
});
export const zset = (members: Record<string, number>): RawValue => ({
  type: 'zset',
  members: Object.entries(members),
  size: Object.keys(members).length,
  truncated: false,
});

type ReadExtra = Partial<
  Pick<ReadObservation, 'pttl' | 'cause' | 'queue' | 'fence' | 'clockMs' | 'beside' | 'isPart'>
>;

/** Drives a lock table by observations; all times are milliseconds after `START`. */
export interface Scenario {
  table: LockTable;
  changes: Change[];
  events: (at: number, key: string, ...names: string[]) => Change[];
  read: (at: number, key: string, value: RawValue | null, extra?: ReadExtra) => Change[];
  gap: (from: number, to: number, extra?: Partial<GapObservation>) => Change[];
  apply: (...observations: Observation[]) => Change[];
  lock: (key: string) => LockRecord;
  hold: (key: string) => HoldRecord;
  /** The holds that ended, oldest first, as `reason@end`. */
  ended: (key: string) => HoldRecord[];
  kinds: () => string[];
}

export function createScenario(
  options: {
    canSee?: CanSee;
    declared?: (key: string) => boolean;
    pinOf?: (key: string) => string | null;
  } = {},
): Scenario {
  const table = createLockTable({
    target: 'test',
    formats: createFormatTable(options.pinOf),
    isDeclared: (_db, key) => options.declared?.(key) ?? false,
    classify: (key) => classify(key),
  });
  const changes: Change[] = [];
  const apply = (...observations: Observation[]): Change[] => {
    const made = table.apply(observations);
    changes.push(...made);
    return made;
  };
  apply({ kind: 'sight', at: START, canSee: options.canSee ?? SEES_ALL });
  const lock = (key: string): LockRecord => {
    const found = table.get(0, key);
    if (!found) throw new Error(`no record of ${key}`);
    return found;
  };
  return {
    table,
    changes,
    apply,
    events: (at, key, ...names) =>
      apply(
        ...names.map((event): Observation => ({
          kind: 'event',
          at: START + at,
          db: 0,
          key,
          event,
        })),
      ),
    read: (at, key, value, extra = {}) =>
      apply({
        kind: 'read',
        at: START + at,
        db: 0,
        key,
        cause: 'event',
        value,
        pttl: null,
        queue: null,
        fence: null,
        ...extra,
      }),
    gap: (from, to, extra = {}) =>
      apply({
        kind: 'gap',
        at: START + to,
        from: START + from,
        to: START + to,
        reason: 'connection-lost',
        serverRestarted: false,
        ...extra,
      }),
    lock,
    hold: (key) => {
      const { hold } = lock(key);
      if (!hold) throw new Error(`nobody holds ${key}`);
      return hold;
    },
    ended: (key) => lock(key).ended.toReversed(),
    kinds: () => changes.map(({ kind }) => kind),
  };
}
