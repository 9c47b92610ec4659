import type { Bytes } from '@/lib/protocol/bytes';
import type { GapReason } from '@/lib/protocol/target';
import { createEventClient, unavailable } from '@/server/redis/connection-options';
import { EventConnection, type ClosedWith } from '@/server/redis/event-connection';
import { createCanary } from './canary';
import { createCompanionFinder, type CompanionFinder } from './companion-finder';
import { lessonOfReturn, reasonOfLoss, wasBehind, type BeforeLoss } from './connection-loss';
import { EventIntake } from './event-intake';
import { createEvidence, type Evidence } from './evidence';
import { createGapLog } from './gap-log';
import { createHeartbeat, type Heartbeat } from './heartbeat';
import { KeyReader } from './key-reader';
import type { NodeState } from './node-status';
import type { NodeWatchOptions } from './node-watch-options';
import type { ReadCause, ReadObservation } from './observation';
import { SCAN_TASK, startRecurring } from './recurring';
import { createOtherDbs, type OtherDbs } from './other-dbs';
import { createOwnClientWatch, type OwnClientWatch } from './own-client';
import { createPatternPlan, type PatternPlan } from './pattern-plan';
import { createRotation, type Rotation } from './rotation';
import { applyInfo, createServerFacts, cutClientsIn } from './server-facts';
import { createServerProbe, type ServerProbe } from './server-probe';
import { SightWatch, type Judgement } from './sight-watch';
import { createSizeGuard, type SizeGuard } from './size-guard';
import { Sweep } from './sweep';
import { createTasks, type Tasks } from './tasks';
import type { KeyRef } from './watch-contract';

/**
 * Watches one Redis process: one event connection, and the command connections for what needs no order.
 *
 * closed → (ioredis ready) → opening: INFO, CONFIG, PSUBSCRIBE → open: events, reads, canary → (socket
 * gone) → closed. A gap opens on the way to closed and ends where the subscription stands again.
 */
export class NodeWatch {
  readonly #options: NodeWatchOptions;
  readonly #facts = createServerFacts();
  readonly #gaps = createGapLog();
  #patterns: readonly Bytes[];
  readonly #otherRules = new Map<string, string>();
  readonly #connection: EventConnection;
  readonly #companions: CompanionFinder;
  readonly #intake: EventIntake;
  readonly #reader: KeyReader;
  readonly #sight: SightWatch;
  readonly #sweep: Sweep;
  readonly #evidence: Evidence;
  readonly #server: ServerProbe;
  readonly #rotation: Rotation;
  readonly #ownClient: OwnClientWatch;
  readonly #otherDbs: OtherDbs;
  readonly #heartbeat: Heartbeat;
  readonly #sizeGuard: SizeGuard;
  readonly #tasks: Tasks = createTasks(() => this.#connected);
  readonly #plan: PatternPlan;
  readonly #firstJudgement = Promise.withResolvers<void>();
  #connected = false;
  #everConnected = false;
  /** Why we ourselves dropped the connection, if we did. */
  #dropReason: GapReason | null = null;
  #before: BeforeLoss = { runId: null, cutClients: null, reason: null, wasBehind: false };
  #stopped = false;

  constructor(options: NodeWatchOptions) {
    const { formats, now, dbs, url } = options;
    const db = dbs[0] ?? 0;
    this.#options = options;
    this.#patterns = options.patterns;
    this.#otherDbs = createOtherDbs({ home: db, formats, patterns: () => this.#patterns });
    this.#plan = createPatternPlan(options);
    this.#companions = createCompanionFinder(formats);
    this.#connection = new EventConnection(createEventClient(url, db), {
      db,
      now,
      handlers: {
        onOpen: (info) => this.#onOpen(info),
        onClose: (info) => this.#onClose(info),
        onKeyspace: (eventDb, key, event) => this.#intake.onKeyspace(eventDb, key, event),
        onChunkEnd: () => this.#intake.flush(),
      },
    });
    const canary = createCanary(this.#connection, { id: options.canaryId, now });
    this.#sight = new SightWatch({
      connection: this.#connection,
      canary,
      facts: this.#facts,
      dbs,
      keyPatterns: this.#plan.globs(),
      now,
      onJudged: (judgement) => this.#onJudged(judgement),
    });
    this.#server = createServerProbe({ ...options, db, facts: this.#facts });
    this.#heartbeat = createHeartbeat(this.#connection, () => this.#drop('canary-lost'));
    this.#rotation = createRotation(options.reconcile);
    this.#sizeGuard = createSizeGuard(dbs, this.#facts);
    const companions = this.#companions;
    this.#evidence = createEvidence({
      ...options,
      facts: this.#facts,
      waiterChannel: companions.waiterChannel,
      isFollowed: (key) => this.#intake.isFollowed(key),
      deliver: (observations) => this.#intake.deliverNow(observations),
      read: (keyDb, key) => this.#reader.request(keyDb, key, 'reconcile'),
    });
    this.#reader = new KeyReader({
      connection: this.#connection,
      now,
      companionsOf: companions.companionsOf,
      isCluster: () => this.#facts.isCluster,
      ...this.#evidence.forReads,
      deliver: (observation) => this.#intake.onRead(observation),
      onRefused: (message) => this.#onReadRefused(message),
    });
    const intake = (): EventIntake => this.#intake;
    this.#ownClient = createOwnClientWatch({ connection: options.commands.of, intake, now });
    this.#intake = new EventIntake({
      ...options,
      canary,
      companions,
      reader: this.#reader,
      ownClient: this.#ownClient,
      evidence: this.#evidence,
      sweep: () => this.#sweep,
    });
    this.#sweep = new Sweep({
      dbs: () => dbs.filter((each) => this.#facts.keys?.has(each) !== false),
      connection: options.commands.of,
      match: () => this.#plan.globs(1)[0] ?? '*',
      lockOf: (keyDb, key) => this.#intake.lockOf(keyDb, key),
      read: (keyDb, key, cause) => this.#reader.request(keyDb, key, cause),
      drained: async (limit) => await this.#reader.drained(limit),
      now,
    });
  }

  /** The canary has said what is seen, and the first sweep is done or known to be impossible. */
  get ready(): boolean {
    const swept = this.#sweep.progress.finishedAt !== null || this.#tasks.problems.has(SCAN_TASK);
    return this.#sight.sight !== null && swept;
  }

  /** Since when events may be missed; null = none are. */
  get blindSince(): number | null {
    return this.#gaps.openSince;
  }

  /** Rejects with TARGET_UNAVAILABLE when the first connection fails. */
  async start(): Promise<void> {
    try {
      await this.#connection.open();
      await this.#firstJudgement.promise;
      if (this.#stopped) return;
      await this.#server.all();
    } catch (error) {
      await this.stop();
      throw unavailable(this.#options.url, error);
    }
    this.#startTasks();
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#tasks.stop();
    this.#sweep.stop();
    this.#reader.reset();
    this.#firstJudgement.resolve();
    await this.#connection.close();
  }

  read(ref: KeyRef, cause: ReadCause): void {
    this.#reader.request(ref.db, ref.key, cause);
  }

  async readNow(ref: KeyRef): Promise<ReadObservation> {
    this.#companions.learn(ref.key);
    return await this.#reader.readNow(ref.db, ref.key);
  }

  /** The operator's patterns from now on; what they newly let in is looked through at once. */
  setPatterns(patterns: readonly Bytes[]): void {
    this.#patterns = patterns;
    this.#plan.set(patterns);
    this.#intake.setPatterns(patterns);
    this.#sight.setKeyPatterns(this.#plan.globs(), () => {
      // A db that had no keys when INFO was asked may have some since.
      this.#facts.keys = null;
      void this.#runSweep('sweep', 'gentle');
    });
  }

  /** Everything that a status or a warning is made of, as it is now. */
  state(): NodeState {
    return {
      url: this.#options.url,
      dbs: this.#options.dbs,
      now: this.#options.now(),
      facts: this.#facts,
      connected: this.#connected,
      connectionError: this.#connection.lastError?.message ?? null,
      sight: this.#sight,
      insecure: this.#server.isInsecure,
      otherDbs: this.#otherDbs.found,
      problems: this.#tasks.problems,
      otherRules: this.#otherRules,
      events: this.#intake.events,
      gaps: this.#gaps,
      sweep: this.#sweep.progress,
      size: this.#sizeGuard.size,
      roundTrip: this.#heartbeat.roundTrips.figures(),
      ...this.#evidence.status,
    };
  }

  #onReadRefused(message: string): void {
    if (message.includes('SELECT')) this.#otherRules.set('select', '+select');
    else this.#otherRules.set('read', '+@read %R~*');
  }

  #onOpen(info: { events: boolean; clientId: number | null }): void {
    this.#server.clientId = info.clientId;
    this.#connection.send(['INFO'], (reply) => {
      if (typeof reply === 'string') applyInfo(this.#facts, reply);
    });
    this.#connection.send(['CONFIG', 'GET', 'notify-keyspace-events'], (reply) => {
      const value = Array.isArray(reply) ? reply[1] : null;
      this.#facts.notifyFlags = typeof value === 'string' ? value : null;
      this.#sight.open(info.events, () => this.#onWhole());
    });
  }

  /** The place in the stream from which on nothing is missed. */
  #onWhole(): void {
    this.#connected = true;
    this.#tasks.forget();
    this.#intake.begin();
    this.#ownClient.begin();
    this.#heartbeat.reset();
    this.#intake.push({ kind: 'connection', at: this.#options.now(), connected: true });
    const { runId, cutClients } = this.#facts;
    const lesson = lessonOfReturn(this.#before, this.#facts);
    this.#endGap(lesson.reason, lesson.serverRestarted);
    this.#before = { runId, cutClients, reason: null, wasBehind: false };
    this.#reader.open();
    this.#probeEval();
    const isReturn = this.#everConnected;
    this.#everConnected = true;
    // After the observations of this socket read, so that the gap is known before its reads.
    queueMicrotask(() => this.#resync(isReturn));
  }

  #endGap(reason: GapReason | undefined, serverRestarted: boolean): boolean {
    const at = this.#options.now();
    const gap = this.#gaps.close(at, reason);
    if (gap) this.#intake.push({ kind: 'gap', at, ...gap, serverRestarted });
    return gap !== null;
  }

  #resync(isReturn: boolean): void {
    if (isReturn) this.#readAllHeld('resync');
    void this.#runSweep(isReturn ? 'resync' : 'sweep', 'fast');
  }

  #readAllHeld(cause: ReadCause): void {
    for (const { db, key } of this.#rotation.all()) this.#reader.request(db, key, cause);
  }

  #onClose(info: ClosedWith): void {
    this.#reader.reset();
    this.#sight.close();
    if (this.#stopped || !this.#connected) return;
    this.#connected = false;
    const { backlogBytes } = this.#server;
    const reason = reasonOfLoss({ ...info, backlogBytes, dropReason: this.#dropReason });
    this.#before = { ...this.#before, reason, wasBehind: wasBehind(info) };
    this.#dropReason = null;
    this.#server.backlogBytes = 0;
    this.#gaps.open(this.#connection.wholeUntil, reason);
    this.#intake.push({ kind: 'connection', at: this.#options.now(), connected: false });
  }

  /** Asked on this connection itself: what it answers was so while the connection stood. */
  #countCut(): void {
    if (this.#facts.cutClients === null) return;
    this.#connection.send(['INFO', 'stats'], (reply) => {
      const counted = typeof reply === 'string' ? cutClientsIn(reply) : null;
      if (counted !== null) this.#before = { ...this.#before, cutClients: counted };
    });
  }

  #drop(reason: GapReason): void {
    this.#dropReason = reason;
    this.#connection.drop();
    void this.#options.commands.drop();
  }

  #onJudged({ observation, lostSince, regained }: Judgement): void {
    if (observation) this.#intake.push(observation);
    if (lostSince !== null) this.#gaps.open(lostSince, 'canary-lost');
    if (regained && this.#endGap(undefined, false)) queueMicrotask(() => this.#resync(true));
    this.#firstJudgement.resolve();
  }

  #startTasks(): void {
    startRecurring({
      tasks: this.#tasks,
      facts: this.#facts,
      reader: this.#reader,
      sight: this.#sight,
      sweep: this.#sweep,
      evidence: this.#evidence,
      connection: this.#options.commands.of,
      heartbeat: this.#heartbeat,
      countCut: () => this.#countCut(),
      sizeGuard: this.#sizeGuard,
      events: this.#intake.events,
      rotation: this.#rotation,
      ownClient: this.#ownClient,
      otherDbs: this.#otherDbs,
      dbs: this.#options.dbs,
      now: this.#options.now,
      server: this.#server,
      probeEval: () => this.#probeEval(),
      beat: () => this.#intake.beat(),
      readAllHeld: (cause) => this.#readAllHeld(cause),
      runSweep: async (cause, pace) => await this.#runSweep(cause, pace),
    });
  }

  #probeEval(): void {
    this.#reader.probeEval((mayWrite) => (this.#facts.capabilities.eval = mayWrite));
  }

  async #runSweep(cause: 'sweep' | 'resync', pace: 'fast' | 'gentle'): Promise<void> {
    await this.#tasks.attempt(SCAN_TASK, async () => await this.#sweep.run(cause, pace));
    if (this.#tasks.problems.get(SCAN_TASK)?.startsWith('NOPERM')) {
      this.#otherRules.set('scan', '+scan');
    }
  }
}
