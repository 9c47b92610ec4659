import { createClassLearner } from '@/lib/analysis/class-learner';
import { isCodedError } from '@/lib/protocol/errors';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { AuditDraft } from '@/server/store/store-contract';
import { createActsUnderWay } from './acts-under-way';
import type { Config } from './config';
import { closeInterrupted } from './actions/close-interrupted';
import { createAlertBook } from './alerts';
import { alertsToRestore } from './alerts-read-back';
import { createLabels } from './alerts/labels';
import { RULE_KIND } from './alerts/rule-document';
import { createRules } from './alerts/rules';
import { createSilences, SILENCE_KIND } from './alerts/silences';
import { createAnalysis } from './analysers';
import { channelIdleMs } from './analysers/channel-leak';
import { createAuth } from './auth/auth';
import { createIdentify, createIsTrusted, createMayReadMetrics } from './auth/identify';
import { createUsers } from './auth/users';
import { createHandle } from './handle';
import { ClassTotals } from './metrics/class-totals';
import { classTemplatesOf } from './class-templates';
import { joinPipeline } from './pipeline';
import { createNotifier } from './notify/notifier';
import { createDiscoveries } from './libraries/discoveries';
import { createFormatsInUse } from './libraries/formats-in-use';
import { createPinBook } from './libraries/pin-book';
import { createAdviceMemory } from './queries/advice-memory';
import { createLockIndex } from './queries/lock-index';
import type { ServerContext } from './queries/query-context';
import { createHistoryReader } from './queries/history-reader';
import { createUsualHistory, USUAL_TURN_MS } from './queries/usual-history';
import { bytesFromPrintable } from './queries/printed-key';
import { knownLocks } from './state/known-locks';
import { createLockTable } from './state/lock-table';
import { claimFolder } from './store/folder-claim';
import { createDocumentFollower, FOLLOW_EVERY_MS } from './store/follow-documents';
import { createKeptDocument } from './store/kept-document';
import { createIntendedOrders } from './store/intended-orders';
import { createOrderKeeper, ORDERS_SAVED_EVERY_MS } from './store/order-keeper';
import { createRecorder } from './store/recorder';
import { createStore } from './store/store';
import { repeat } from './repeat';
import { createLockNames } from './watch/trace/lock-names';
import { createTraces } from './watch/trace/trace-book';
import { createWatch } from './watch/watch';

const OUTCOMES_WITHIN_MS = 500;
/** What a kill may lose of them, or a hundred times as long as writing them takes. */
const OVERRUNS_SAVED_EVERY_MS = 5_000;

/**
 * Builds the parts in flow order and starts them. The composition root: nothing else constructs. `tell` hears a sentence
 * for a person when that is going to take long.
 */
export async function startRuntime(config: Config, tell: (sentence: string) => void = () => {}) {
  const now = Date.now;
  const targetId = new URL(config.redis.displayUrl).host;
  const store = createStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    retention: config.retention,
    ...{ now, tell },
  });
  await store.start();
  // After the store, which says better why a folder cannot be used.
  const letGo = config.databaseUrl ? () => undefined : await claimFolder(config.dataDir);

  const formats = createFormatsInUse(createPinBook(await store.pins(targetId)), config);
  const watch = createWatch({
    id: targetId,
    url: config.redis.url,
    mode: config.redis.mode,
    db: config.redis.db,
    dbs: config.dbs,
    patterns: formats.patterns(),
    everything: config.watchEverything,
    allowInsecureRedis: config.allowInsecureRedis,
    formats: formats.table,
    now,
  });
  const classes = createClassLearner({ templates: classTemplatesOf(config) });
  for (const name of await store.classes(targetId)) classes.remember(bytesFromPrintable(name));
  const table = createLockTable({
    target: targetId,
    formats: formats.table,
    isDeclared: (_db, key) => formats.isDeclared(key),
    isWatched: formats.isWatched,
    classify: classes.classify,
  });
  const rules = createRules(config);
  const silences = createSilences();
  const settings = { ...config, thresholdOf: rules.thresholdOf };
  const analysis = createAnalysis(settings);
  watch.setIdleAfter(() => channelIdleMs(settings));
  const labelsOf = createLabels(table);
  const orderKeeper = createOrderKeeper({ store, target: targetId, orders: analysis.orders });
  const intendedOrders = createIntendedOrders({
    ...{ store, target: targetId, orders: analysis.orders },
  });
  const overrunKeeper = createKeptDocument({
    ...{ store, target: targetId, kind: 'overruns', learnt: analysis.overruns },
  });
  const alerts = createAlertBook({ target: targetId, rules, silences, labelsOf });
  const recorder = createRecorder({
    ...{ store, target: targetId, now, find: table.get },
    blindSince: () => watch.blindSince,
    isStarting: () => !watch.ready,
  });

  const classTotals = new ClassTotals({ startedAt: now(), classify: classes.classify });
  const listeners = new Set<() => void>();
  const publish = (): void => listeners.forEach((listener) => listener());
  const lockIndex = createLockIndex();
  const notifier = createNotifier({
    ...{ store, target: targetId, alerts, rules, publish, now },
    gaveUp: (times) => recorder.gaveUp(times),
    publicUrl: config.publicUrl,
    authSecret: config.authSecret,
  });
  const pipeline = joinPipeline({
    ...{ watch, table, lockIndex, analysis, alerts, recorder, classTotals, store },
    ...{ notifier, now, publish },
  });

  const isLockName = createLockNames({ formats: formats.table, globs: [] });
  const traces = createTraces({
    target: targetId,
    url: config.redis.url,
    formats: formats.table,
    locks: knownLocks(table),
    mayBeLock: (key) => formats.isDeclared(key) || isLockName(key),
    deliver: (sample) => pipeline.observe([sample]),
    onChange: publish,
    now,
  });

  const discoveries = createDiscoveries({
    connection: watch.commandConnection,
    formats: formats.table,
    isWatched: formats.isWatched,
    now,
  });

  const history = createHistoryReader({ store, recorder, targetId });
  const context: ServerContext = {
    ...{ config, targetId, watch, table, analysis, alerts, recorder, store, traces, now },
    ...{ formats, discoveries, rules, silences, intendedOrders, notifier },
    observe: pipeline.observe,
    startedAt: now(),
    lockIndex,
    history,
    adviceMemory: createAdviceMemory(),
    usualHistory: createUsualHistory({ history, usual: analysis.usual, now }),
  };
  const auth = createAuth({
    config,
    store,
    onSignIn: async (userId) => {
      await store.appendAudit(signInEntry(await emailOf(userId), now()));
    },
  });
  const emailOf = async (userId: string): Promise<string> => {
    const user = await (await auth.auth.$context).internalAdapter.findUserById(userId);
    return user?.email ?? userId;
  };
  await auth.migrate();
  const users = createUsers(auth, store, now);
  const identify = createIdentify(auth, store, config.adminToken);
  const mayReadMetrics = createMayReadMetrics(identify, config.metricsToken);
  const isTrusted = createIsTrusted(config.publicUrl);

  const acts = createActsUnderWay();

  rules.restore(await store.documents(RULE_KIND));
  silences.restore(await store.documents(SILENCE_KIND));
  alerts.restore(await alertsToRestore(store, targetId, now()));
  analysis.restoreDeadlocks(await openDeadlocks(context));
  table.restore(await store.openHolds(targetId));
  await intendedOrders.restore();
  await orderKeeper.restore();
  await overrunKeeper.restore();
  await tellStoppedTime(context);
  await closeInterruptedActs(context);
  await notifier.start();
  await watch.start();
  const follow = createDocumentFollower({
    store,
    followed: [
      { kind: RULE_KIND, edits: () => rules.edits, replace: rules.restore },
      { kind: SILENCE_KIND, edits: () => silences.edits, replace: silences.restore },
      intendedOrders.followed,
      ...notifier.followed,
    ],
    changed: publish,
  });
  const stopKeeping = [
    repeat(ORDERS_SAVED_EVERY_MS, orderKeeper.saveInTurn),
    repeat(OVERRUNS_SAVED_EVERY_MS, overrunKeeper.saveInTurn),
    repeat(USUAL_TURN_MS, context.usualHistory.turn),
    // The embedded database is this console's alone.
    ...(config.databaseUrl ? [repeat(FOLLOW_EVERY_MS, follow)] : []),
  ];

  return {
    context,
    handle: createHandle({
      ...{ context, classTotals, auth, users, identify, mayReadMetrics, isTrusted, acts },
    }),
    users,
    /** Calls `listener` whenever something a page may show has changed. Returns the unsubscribe. */
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    actsAnswered: acts.answered,
    stop: async (): Promise<void> => {
      await discoveries.end();
      await traces.stop();
      await watch.stop();
      // What Redis never answered has failed by now; the audit is told before the store closes.
      await acts.answered(OUTCOMES_WITHIN_MS);
      await pipeline.stop();
      stopKeeping.forEach((stop) => stop());
      await orderKeeper.save();
      await overrunKeeper.save();
      await notifier.stop();
      recorder.integrate(table, now());
      recorder.keepOpen(table);
      await recorder.stop();
      await closeStore(context);
      letGo();
    },
  };
}

/** On a shared database, requests of the last minute may be another console's that runs. */
const closeInterruptedActs = ({ config, store, now }: ServerContext): Promise<void> =>
  closeInterrupted(store, { before: config.databaseUrl ? now() - 60_000 : now(), now });

const MOST_RESTORED = 1000;

/** Those that nobody has seen end. */
async function openDeadlocks({ store, targetId, now }: ServerContext): Promise<Deadlock[]> {
  const open = await store.deadlocks({ at: now(), limit: MOST_RESTORED });
  return open.filter(({ target }) => target === targetId);
}

/** The time in which no console watched is a gap like any other. */
async function tellStoppedTime({ store, targetId, observe, now }: ServerContext): Promise<void> {
  const from = await store.lastAliveAt(targetId);
  const to = now();
  // Later than now = the clock was set back since; when the last console stopped cannot be told then.
  if (from !== null && from < to) {
    const gap = { from, to, reason: 'console-stopped' } as const;
    observe([{ kind: 'gap', at: to, ...gap, serverRestarted: false }]);
    // Before the mark moves on: it is all that tells of the gap should this start be cut short.
    await store.writeGap(targetId, gap);
  }
  await store.markAlive(targetId, to);
}

/** A store that is broken ends no differently than one that works, but what is lost with it is said. */
async function closeStore({ store, recorder, targetId, watch, now }: ServerContext): Promise<void> {
  try {
    await store.markAlive(targetId, watch.blindSince ?? now());
  } catch (error) {
    if (!isCodedError(error)) throw error;
    const { classRollups, lockRollups, holds } = recorder.pending();
    const unwritten = classRollups.length + lockRollups.length + holds.length + recorder.lostRows;
    console.error(`lockscope: ${unwritten} rows of history were not written: ${error.message}`);
  }
  await store.stop();
}

const signInEntry = (actor: string, at: number): AuditDraft => ({
  at,
  actor,
  action: 'session.sign-in',
  target: null,
  db: null,
  key: null,
  reason: null,
  outcome: 'done',
  code: null,
  before: null,
  after: null,
  requestId: `sign-in-${at}`,
  businessId: null,
});

export type Runtime = Awaited<ReturnType<typeof startRuntime>>;
