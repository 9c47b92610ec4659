import type { Redis } from 'ioredis';
import type { EventCounter } from './event-counter';
import type { Evidence } from './evidence';
import { BEAT_MS } from './event-intake';
import type { Heartbeat } from './heartbeat';
import type { KeyReader } from './key-reader';
import type { ReadCause } from './observation';
import { unwatchedDbs } from './node-status';
import type { OtherDbs } from './other-dbs';
import type { OwnClientWatch } from './own-client';
import type { Rotation } from './rotation';
import { probePubsub, refreshConfig, refreshInfo, type ServerFacts } from './server-facts';
import type { ServerProbe } from './server-probe';
import type { SightWatch } from './sight-watch';
import type { SizeGuard } from './size-guard';
import type { Sweep } from './sweep';
import type { Tasks } from './tasks';

const CHANNELS_MS = 5_000;
const CLIENTS_MS = 2_000;
/** At most ten looks a second, and only where an event told of something new. */
const LOGS_MS = 100;
const JOBS_MS = 250;
const LOAD_MS = 10_000;
const HEARTBEAT_MS = 500;
const ROTATION_STEP_MS = 250;
const PROBE_MS = 1_000;
const INFO_MS = 2_000;
const REPORTS_MS = 200;
const INSTANCES_MS = 200;
const CANARY_MS = 5_000;
const REPLICAS_MS = 10_000;
const SWEEP_REST_MS = 60_000;
const BLIND_SWEEP_REST_MS = 5_000;
/** Reads waiting beyond this make a step of the rotation wait too. */
const MAX_BACKLOG = 5_000;
/** What the sweep of a start has found was read moments ago: for so long nothing is read again beside it. */
const START_IS_NEWS_MS = 5_000;

export const SCAN_TASK = 'scan-keys';

/** The parts of a node that something is done with again and again. */
export interface RecurringParts {
  tasks: Tasks;
  facts: ServerFacts;
  reader: KeyReader;
  sight: SightWatch;
  sweep: Sweep;
  evidence: Evidence;
  connection: (db: number) => Promise<Redis>;
  heartbeat: Heartbeat;
  sizeGuard: SizeGuard;
  events: EventCounter;
  rotation: Rotation;
  ownClient: OwnClientWatch;
  otherDbs: OtherDbs;
  /** Those that are watched. */
  dbs: readonly number[];
  now: () => number;
  server: ServerProbe;
  probeEval: () => void;
  /** Asks how many clients Redis has cut off, so that a loss can be told from theirs. */
  countCut: () => void;
  beat: () => void;
  readAllHeld: (cause: ReadCause) => void;
  runSweep: (cause: 'sweep' | 'resync', pace: 'fast' | 'gentle') => Promise<void>;
}

/** Everything a node does by the clock, and how often. */
export function startRecurring(parts: RecurringParts): void {
  const { tasks, facts, reader, sight, sweep, server } = parts;
  tasks.add('keep-alive', HEARTBEAT_MS, () => {
    parts.events.measure(parts.now());
    parts.heartbeat.beat();
  });
  tasks.add('notice-hold-ups', BEAT_MS, parts.beat);
  tasks.add('re-read-held', ROTATION_STEP_MS, () => {
    const since = sweep.catchingUpSince;
    const isNews = since !== null && parts.now() - since < START_IS_NEWS_MS;
    if (isNews || reader.backlog > MAX_BACKLOG) return;
    for (const { db, key } of parts.rotation.next()) reader.request(db, key, 'reconcile');
  });
  tasks.add('count-keys', PROBE_MS, async () => {
    const lost = await parts.sizeGuard.check(await server.command(), parts.rotation.held);
    if (lost) parts.readAllHeld('reconcile');
  });
  tasks.add('count-waiters', PROBE_MS, async () => {
    const redis = await server.command();
    if (await probePubsub(facts, redis)) await parts.evidence.countWaiters(redis);
  });
  addEvidence(parts);
  tasks.add('read-reports', REPORTS_MS, parts.ownClient.readReports);
  tasks.add('read-instances', INSTANCES_MS, parts.ownClient.readInstances);
  tasks.add('look-into-other-dbs', PROBE_MS, async () => {
    const unwatched = unwatchedDbs(parts);
    if (unwatched.length > 0) await parts.otherDbs.run(await server.command(), unwatched);
  });
  tasks.add('look-from-outside', PROBE_MS, async () => {
    await server.checkBacklog();
  });
  tasks.add('read-info', INFO_MS, async () => {
    parts.countCut();
    await refreshInfo(facts, await server.command());
  });
  tasks.add('ask-replicas', REPLICAS_MS, server.askReplicas);
  tasks.add('check-sight', CANARY_MS, async () => {
    await refreshConfig(facts, await server.command());
    sight.check();
    if (!reader.mayEval || !facts.capabilities.eval) parts.probeEval();
  });
  tasks.add('sweep', PROBE_MS, async () => {
    if (sweep.progress.running) return;
    const soon = sight.isBlind || tasks.problems.has(SCAN_TASK);
    const rest = soon ? BLIND_SWEEP_REST_MS : SWEEP_REST_MS;
    if (parts.now() - sweep.endedAt >= rest) await parts.runSweep('sweep', 'gentle');
  });
}

/** What is asked again and again to see who waits and who is there. */
function addEvidence({ tasks, facts, evidence, server, connection }: RecurringParts): void {
  tasks.add('list-channels', CHANNELS_MS, async () => {
    if (facts.capabilities.pubsub) await evidence.listChannels(await server.command());
  });
  tasks.add('list-clients', CLIENTS_MS, async () => {
    await evidence.listClients(await server.command());
  });
  tasks.add('read-refusals', LOGS_MS, async () => await evidence.readLogs(connection));
  tasks.add('look-for-jobs', JOBS_MS, async () => await evidence.lookForJobs(connection));
  tasks.add('count-indexes', LOAD_MS, async () => await evidence.countIndexes(connection));
  tasks.add('measure-probes', LOAD_MS, async () => await evidence.measure(await server.command()));
}
