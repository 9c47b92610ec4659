import type { Alert } from '@/lib/protocol/alert';
import { isCodedError } from '@/lib/protocol/errors';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import { sightNow } from '@/server/alerts/doubt';
import type { Analysis } from '@/server/analysers/analysis-contract';
import type { ClassTotals } from '@/server/metrics/class-totals';
import type { Notifier } from '@/server/notify/notify-contract';
import type { LockIndex } from '@/server/queries/lock-index';
import type { LockTable } from '@/server/state/table-contract';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import type { Observation } from '@/server/watch/observation';
import type { Watch } from '@/server/watch/watch-contract';
import { createAlertSaver } from './alert-saver';
import { createCheckRound } from './check-round';
import { storeFindings } from './store/health-finding';
import { createOutbox } from './store/outbox';
import { repeat } from './repeat';
import { createRest } from './rest';

export interface Stages {
  watch: Watch;
  table: LockTable;
  lockIndex: LockIndex;
  analysis: Analysis;
  alerts: AlertBook;
  recorder: Recorder;
  /** What a scrape is told of each class. */
  classTotals: ClassTotals;
  store: Store;
  notifier: Pick<Notifier, 'note' | 'turn' | 'findings'>;
  now: () => number;
  /** Called when something a page may show has changed. */
  publish: () => void;
}

const DUE_EVERY_MS = 10;
const JUDGE_EVERY_MS = 250;
const SAVE_EVERY_MS = 500;
const MOST_UNSAVED_DEADLOCKS = 2000;
const TELL_EVERY_MS = 250;
/** Until all that is there has been found, judging what is found so far has a tenth of the process at most. */
const START_RESTS_TIMES = 9;

/** The observe flow: Redis → watch → lock table → analysers → alerts, history → publisher. */
export function joinPipeline(stages: Stages) {
  const { watch, table, lockIndex, analysis, alerts, recorder, store, now, publish } = stages;
  const { classTotals, notifier } = stages;
  const gone = (lost: readonly (Alert | Deadlock)[]): void =>
    recorder.gaveUp(lost.map(({ resolvedAt, since }) => resolvedAt ?? since));
  const unsavedAlerts = createAlertSaver({ alerts, store, gone });
  const untold = createOutbox((changed: readonly Alert[]) => notifier.note(changed));
  const unsavedDeadlocks = createOutbox(
    async (cycles: readonly Deadlock[]) => {
      for (const cycle of cycles) await store.saveDeadlock(cycle);
    },
    {
      most: MOST_UNSAVED_DEADLOCKS,
      isOver: ({ state }) => state === 'resolved',
      known: () => analysis.deadlocks().map(({ id }) => id),
      gone,
    },
  );
  const checks = createCheckRound(watch.read);
  const observe = (observations: readonly Observation[]): void => {
    checks.note(observations);
    const changes = table.apply(observations);
    if (changes.length === 0) return;
    lockIndex.note(changes, table.version);
    analysis.observe(changes);
    recorder.record(changes);
    classTotals.observe(changes);
    publish();
  };
  const judge = (): void => {
    const at = now();
    observe([{ kind: 'tick', at }]);
    const target = watch.status();
    const findings = [
      ...analysis.findings(table, target, at),
      ...storeFindings({ health: store.health, lostRows: recorder.lostRows }, target.id, at),
      ...notifier.findings(at),
    ];
    alerts.noteEndings(analysis.takeEndings());
    const changed = alerts.update(findings, at, sightNow(target, watch.ready));
    recorder.gaveUp(alerts.takeGivenUp());
    unsavedAlerts.add(changed);
    untold.add(changed);
    unsavedDeadlocks.add(analysis.takeChangedDeadlocks());
    checks.ask(analysis.toCheck());
    publish();
  };
  let hasStarted = false;
  const judging = createRest(
    () => performance.now(),
    () => {
      hasStarted ||= watch.ready;
      return hasStarted ? 1 : START_RESTS_TIMES;
    },
  );
  const write = async (): Promise<void> => {
    if (!store.health.ok) return;
    try {
      await Promise.all([unsavedAlerts.flush(), unsavedDeadlocks.flush()]);
    } catch (error) {
      // The store has just broken: its health says so, and what is unsaved waits for it.
      if (!isCodedError(error)) throw error;
    }
  };
  const save = async (): Promise<void> => {
    await write();
    // Also when nothing could be written: a broken store is what somebody must be told of.
    await untold.flush();
  };
  watch.onObservations(observe);
  watch.setProbes(table.probeable);
  watch.setReconcile(table.nextToReconcile);
  watch.setJobs(() => analysis.jobsToLookFor(now()));
  watch.setClientQuestion(() => table.clientQuestion(now()));
  const timers = [
    repeat(DUE_EVERY_MS, () => watch.read(table.takeDue(now(), 1000), 'deadline')),
    repeat(JUDGE_EVERY_MS, () => judging.run(judge)),
    repeat(DUE_EVERY_MS, () => judging.run(() => checks.takeAnswered() && judge())),
    // Apart from judging, so that a database that hangs cannot hold up an alert.
    repeat(SAVE_EVERY_MS, save),
    repeat(TELL_EVERY_MS, notifier.turn),
    repeat(1000, () => recorder.integrate(table, now())),
  ];
  return {
    observe,
    /** Ends the clockwork and writes what is not written yet. */
    stop: async (): Promise<void> => {
      timers.forEach((stop) => stop());
      await save();
    },
  };
}
