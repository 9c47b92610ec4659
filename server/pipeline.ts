import type { Alert } from '@/lib/protocol/alert';
import type { Deadlock } from '@/lib/protocol/measures';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import type { Analysis } from '@/server/analysers/analysis-contract';
import type { LockIndex } from '@/server/queries/lock-index';
import type { LockTable } from '@/server/state/table-contract';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import type { Observation } from '@/server/watch/observation';
import type { Watch } from '@/server/watch/watch-contract';
import { createOutbox } from './store/outbox';
import { repeat } from './repeat';

export interface Stages {
  watch: Watch;
  table: LockTable;
  lockIndex: LockIndex;
  analysis: Analysis;
  alerts: AlertBook;
  recorder: Recorder;
  store: Store;
  now: () => number;
  /** Called when something a page may show has changed. */
  publish: () => void;
}

const DUE_EVERY_MS = 10;
const JUDGE_EVERY_MS = 250;

/** The observe flow: Redis → watch → lock table → analysers → alerts, history → publisher. */
export function joinPipeline(stages: Stages) {
  const { watch, table, lockIndex, analysis, alerts, recorder, store, now, publish } = stages;
  const unsavedAlerts = createOutbox((changed: readonly Alert[]) => store.saveAlerts(changed));
  const unsavedDeadlocks = createOutbox(async (cycles: readonly Deadlock[]) => {
    for (const cycle of cycles) await store.saveDeadlock(cycle);
  });
  const observe = (observations: readonly Observation[]): void => {
    const changes = table.apply(observations);
    if (changes.length === 0) return;
    lockIndex.note(changes, table.version);
    analysis.observe(changes);
    recorder.record(changes);
    publish();
  };
  const judge = async (): Promise<void> => {
    observe([{ kind: 'tick', at: now() }]);
    const findings = analysis.findings(table, watch.status(), now());
    unsavedAlerts.add(alerts.update(findings, now()));
    unsavedDeadlocks.add(analysis.takeChangedDeadlocks());
    publish();
    if (!store.health.ok) return;
    await Promise.all([unsavedAlerts.flush(), unsavedDeadlocks.flush()]);
  };
  watch.onObservations(observe);
  watch.setProbes(table.probeable);
  watch.setReconcile(table.nextToReconcile);
  const timers = [
    repeat(DUE_EVERY_MS, () => watch.read(table.takeDue(now(), 1000), 'deadline')),
    repeat(JUDGE_EVERY_MS, judge),
    repeat(1000, () => recorder.integrate(table, now())),
  ];
  return { observe, stop: () => timers.forEach((stop) => stop()) };
}
