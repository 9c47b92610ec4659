import type { LockRecord } from '@/server/state/lock-record';
import type { Analysis, AnalysisSettings } from './analysis-contract';
import { canJudge, sightOf, type Analyser, type View } from './analyser';
import { createBlockingChain } from './blocking-chain';
import { createBornShort } from './born-short';
import { createCameBack } from './came-back';
import { createChannelLeak } from './channel-leak';
import { createConvoy } from './convoy';
import { createDeadlock } from './deadlock';
import { createEmptyKey } from './empty-key';
import { createEvicted } from './evicted';
import type { Finding } from './finding';
import { guarded } from './guarded';
import { createFlapping } from './flapping';
import { createForeignRelease } from './foreign-release';
import { createFreeButWaited } from './free-but-waited';
import { createIndexBloat } from './index-bloat';
import { createLeaseTooShort } from './lease-too-short';
import { createLongHold } from './long-hold';
import { createLostInFailover } from './lost-in-failover';
import { createMultiLocks } from './multi-locks';
import { createNoExpiry } from './no-expiry';
import { createNoted } from './noted';
import { createOrderInversion } from './order-inversion';
import { createOneSided } from './one-sided';
import { createOrphanQueue } from './orphan-queue';
import { createOverrun } from './overrun';
import { createOverrunCounts } from './overrun-counts';
import { createRateLimited } from './rate-limited';
import { createRedlockDbs } from './redlock-dbs';
import { createRedlockNodes } from './redlock-nodes';
import { createRenewalMissed } from './renewal-missed';
import { createSampledStorms } from './sampled-storms';
import { createSelfWait } from './self-wait';
import { createServiceDbs } from './service-dbs';
import { createSignalLeak } from './signal-leak';
import { createSlowHandoff } from './slow-handoff';
import { createStalledRisk } from './stalled-risk';
import { createTakeover } from './takeover';
import { createTargetWarnings } from './target-warnings';
import { createUsualHolds } from './usual-holds';
import { createVanished } from './vanished';
import { createWaiterPileup } from './waiter-pileup';
import { createZombieRenewal } from './zombie-renewal';

/** Every analyser but those that answer more than findings. A new one is a file and a line here. */
const ANALYSERS: Record<string, () => Analyser> = {
  'long-hold': createLongHold,
  'no-expiry': createNoExpiry,
  'renewal-missed': createRenewalMissed,
  takeover: createTakeover,
  overrun: createOverrun,
  'born-short': createBornShort,
  'lease-too-short': createLeaseTooShort,
  'came-back': createCameBack,
  'zombie-renewal': createZombieRenewal,
  flapping: createFlapping,
  'foreign-release-suspected': createForeignRelease,
  'slow-handoff': createSlowHandoff,
  evicted: createEvicted,
  vanished: createVanished,
  'lost-in-failover': createLostInFailover,
  'one-sided': createOneSided,
  'orphan-queue': createOrphanQueue,
  'free-but-waited': createFreeButWaited,
  'waiter-pileup': createWaiterPileup,
  convoy: createConvoy,
  'self-wait': createSelfWait,
  'empty-key': createEmptyKey,
  'signal-leak': createSignalLeak,
  'channel-leak': createChannelLeak,
  'index-bloat': createIndexBloat,
  'rate-limited': createRateLimited,
  'sampled-storms': createSampledStorms,
  'redlock-nodes': createRedlockNodes,
  'redlock-dbs': createRedlockDbs,
  'service-dbs': createServiceDbs,
  'target-warnings': createTargetWarnings,
};

const isAwaited = ({ queue, subscribers, hints, reported }: LockRecord): boolean =>
  queue.length > 0 ||
  (subscribers ?? 0) > 0 ||
  (hints !== undefined && hints.length > 0) ||
  (reported?.size ?? 0) > 0;

/** Shows each lock of the table to those analysers that want it, in one pass. */
function pass(analysers: readonly Analyser[], view: View): void {
  const held = analysers.flatMap((one) => one.held ?? []);
  const awaited = analysers.flatMap((one) => one.awaited ?? []);
  for (const lock of view.table.all()) {
    if (lock.hold !== null && lock.state === 'held') {
      for (const visit of held) visit(lock, lock.hold, view);
    }
    if (isAwaited(lock)) {
      for (const visit of awaited) visit(lock, view);
    }
  }
}

/**
 * Joins the analysers. While the target is disconnected, the conditions of locks stay as they were: none
 * is added, none ends, because nothing that could end them can be seen. While it is connected but blind
 * to events, the table still follows what is read, so a condition begins and ends by a read, and only
 * what silence would prove (a missed renewal) stays as it was. Moments stay for an hour in either case.
 */
export function createAnalysis(settings: AnalysisSettings): Analysis {
  const deadlock = createDeadlock();
  const blockingChain = createBlockingChain(deadlock);
  const orderInversion = createOrderInversion();
  const stalledRisk = createStalledRisk();
  const multiLocks = createMultiLocks();
  const noted = createNoted();
  const analysers = [
    ...Object.entries(ANALYSERS).map(([name, create]) => guarded({ name, analyser: create() })),
    guarded({ name: 'deadlock', analyser: deadlock }),
    // After it, whose waits it follows.
    guarded({ name: 'blocking-chain', analyser: blockingChain }),
    guarded({ name: 'order-inversion', analyser: orderInversion }),
    guarded({ name: 'stalled-risk', analyser: stalledRisk }),
    guarded({ name: 'multi-locks', analyser: multiLocks }),
    noted,
  ];
  const last = new Map<Analyser, Finding[]>();
  const usual = createUsualHolds();
  const overruns = createOverrunCounts();

  return {
    observe: (changes) => {
      usual.observe(changes);
      overruns.observe(changes);
      for (const analyser of analysers) analyser.observe?.(changes);
    },
    note: noted.note,
    findings: (table, target, now) => {
      const view: View = { table, target, settings, usual, overruns, now };
      const sight = sightOf(target);
      const judging = analysers.filter((analyser) => canJudge(analyser, sight));
      pass(judging, view);
      for (const analyser of judging) last.set(analyser, analyser.findings(view));
      return analysers.flatMap((analyser) => last.get(analyser) ?? []);
    },
    takeEndings: deadlock.takeEndings,
    takeChangedDeadlocks: deadlock.takeChanged,
    deadlocks: deadlock.deadlocks,
    orders: orderInversion.learnt,
    overruns,
    usual,
    restoreDeadlocks: deadlock.restore,
    toCheck: deadlock.toCheck,
    chains: blockingChain.chains,
    multiLocks: multiLocks.seen,
    jobsToLookFor: stalledRisk.jobsToLookFor,
  };
}
