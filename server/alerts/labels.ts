import type { AlertLabels } from '@/lib/protocol/alert';
import { fromBase64Url } from '@/lib/protocol/bytes';
import type { Finding } from '@/server/analysers/finding';
import type { LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';

export type LabelsOf = (finding: Finding) => AlertLabels;

export const NO_LABELS: AlertLabels = { class: null, namespace: null, owner: null, node: null };

const sameLabels = (a: AlertLabels, b: AlertLabels): boolean =>
  a.class === b.class && a.namespace === b.namespace && a.owner === b.owner && a.node === b.node;

/**
 * The labels that an alert had, with what is known now. A lock that is not known any more tells nothing: what it told
 * stays. The same object where nothing is other.
 */
export function labelsNow(old: AlertLabels, fresh: AlertLabels): AlertLabels {
  const labels: AlertLabels = {
    class: fresh.class ?? old.class,
    namespace: fresh.namespace ?? old.namespace,
    owner: fresh.owner ?? old.owner,
    node: fresh.owner === null ? old.node : fresh.node,
  };
  return sameLabels(labels, old) ? old : labels;
}

const labelsOfLock = ({ class: name, namespace, hold }: LockRecord): AlertLabels => ({
  ...{ class: name, namespace },
  owner: hold?.owner?.id ?? null,
  node: hold?.owner?.app ?? hold?.owner?.host ?? null,
});

/** What both share; null where they differ, or it is not known of one. */
const sharedBy = (a: AlertLabels, b: AlertLabels): AlertLabels => ({
  class: a.class === b.class ? a.class : null,
  namespace: a.namespace === b.namespace ? a.namespace : null,
  owner: a.owner === b.owner ? a.owner : null,
  node: a.node === b.node ? a.node : null,
});

/** The present labels of the locks that a finding lists; what the finding says itself goes before. */
export function createLabels(table: Pick<LockTable, 'get'>): LabelsOf {
  return ({ subject, labels }) => {
    let all: AlertLabels | null = null;
    for (const { db, keyB64 } of subject.locks) {
      const key = fromBase64Url(keyB64);
      const lock = key === null ? undefined : table.get(db, key);
      if (!lock) continue;
      const own = labelsOfLock(lock);
      all = all === null ? own : sharedBy(all, own);
    }
    return { ...(all ?? NO_LABELS), ...labels };
  };
}
