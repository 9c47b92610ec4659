import type { AlertLabels } from '@/lib/protocol/alert';
import { fromBase64Url } from '@/lib/protocol/bytes';
import type { Finding } from '@/server/analysers/finding';
import type { LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';

export type LabelsOf = (finding: Finding) => AlertLabels;

export const NO_LABELS: AlertLabels = { class: null, namespace: null, owner: null, node: null };

/** What all of them share; null where they differ, or it is not known of any. */
function shared(
  locks: readonly LockRecord[],
  of: (lock: LockRecord) => string | null,
): string | null {
  const [first] = locks;
  const value = first ? of(first) : null;
  return locks.every((lock) => of(lock) === value) ? value : null;
}

/** The present labels of the locks that a finding lists; what the finding says itself goes before. */
export function createLabels(table: Pick<LockTable, 'get'>): LabelsOf {
  return ({ subject, labels }) => {
    const locks = subject.locks.flatMap(({ db, keyB64 }) => {
      const key = fromBase64Url(keyB64);
      return (key === null ? undefined : table.get(db, key)) ?? [];
    });
    return {
      class: shared(locks, (lock) => lock.class),
      namespace: shared(locks, (lock) => lock.namespace),
      owner: shared(locks, ({ hold }) => hold?.owner?.id ?? null),
      node: shared(locks, ({ hold }) => hold?.owner?.app ?? hold?.owner?.host ?? null),
      ...labels,
    };
  };
}
