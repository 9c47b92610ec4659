import type { Bytes } from '@/lib/protocol/bytes';
import type { FormatTable } from '@/lib/formats/format';
import { CANARY_PREFIX, type Canary } from './canary';
import type { CompanionFinder } from './companion-finder';
import { createEventCounter, type EventCounter } from './event-counter';
import type { Evidence } from './evidence';
import { createKeyFilter, type KeyFilter } from './key-filter';
import type { KeyReader } from './key-reader';
import type { Observation, ReadObservation } from './observation';
import type { OwnClientWatch } from './own-client';
import { isOwnKey } from './own-keys';
import type { Sweep } from './sweep';

/** Events after which the key is known to be gone or unchanged: nothing to read. */
const NEEDS_NO_READ = new Set(['del', 'expired', 'evicted', 'rename_from', 'move_from', 'keymiss']);

/** Hardly a cache is written so, and every lock in Redisson's layout is. */
const LOCK_EVENTS = new Set(['hincrby', 'hset']);

/**
 * A read that is under way covers what an event asks for, but not what only now is known to belong to its key:
 * this cause has it read again.
 */
const ANYWAY = 'asked';

export interface EventIntakeOptions {
  dbs: readonly number[];
  formats: FormatTable;
  /** The operator's at first. */
  patterns: readonly Bytes[];
  everything: boolean;
  canary: Pick<Canary, 'observe'>;
  /** Names the canary keys of this process. */
  canaryId: string;
  companions: Pick<CompanionFinder, 'learn' | 'learnBeside' | 'learnSide' | 'isKnown'>;
  ownClient: Pick<OwnClientWatch, 'observe' | 'found' | 'onRead'>;
  reader: Pick<KeyReader, 'request' | 'withdraw' | 'isOwnMiss' | 'chunkEnded'>;
  evidence: Pick<Evidence, 'onRead' | 'onKey' | 'onOtherConsole'>;
  sweep: () => Pick<Sweep, 'progress' | 'found'>;
  now: () => number;
  deliver: (observations: readonly Observation[]) => void;
}

/** How often `beat` is called, and how late it may be before events count as late. */
export const BEAT_MS = 100;
const LATE_MS = 900;

const declaredBy = (globs: readonly Bytes[]): KeyFilter =>
  createKeyFilter({ prefixes: [], globs, everything: false });

const passedBy = (
  { formats, everything }: Pick<EventIntakeOptions, 'formats' | 'everything'>,
  globs: readonly Bytes[],
): KeyFilter => createKeyFilter({ prefixes: formats.watchedPrefixes, globs, everything });

/** Turns the stream of one connection into observations, delivered once per socket read, in order. */
export class EventIntake {
  readonly #options: EventIntakeOptions;
  readonly #dbs: ReadonlySet<number>;
  #passes: KeyFilter;
  #isDeclared: KeyFilter;
  readonly events: EventCounter = createEventCounter();
  #pending: Observation[] = [];
  /** One time for all events of a socket read; 0 = none has come yet. */
  #chunkAt = 0;
  #isChunkLate = false;
  /** Null until the first beat of a connection. */
  #beatAt: number | null = null;
  /** After a hold-up what waited in the socket is read over several turns. */
  #lateUntil = 0;

  constructor(options: EventIntakeOptions) {
    this.#options = options;
    this.#dbs = new Set(options.dbs);
    this.#passes = passedBy(options, options.patterns);
    this.#isDeclared = declaredBy(options.patterns);
  }

  /** What the operator declares to be locks from now on. */
  setPatterns(patterns: readonly Bytes[]): void {
    this.#passes = passedBy(this.#options, patterns);
    this.#isDeclared = declaredBy(patterns);
  }

  onKeyspace(db: number, key: Bytes, event: string): void {
    if (isOwnKey(key)) {
      this.#onOwnKey(db, key, event);
      return;
    }
    if (!this.#dbs.has(db) || !this.#passes(key)) return;
    if (this.#chunkAt === 0) this.#beginChunk();
    const at = this.#chunkAt;
    this.events.count(at);
    const { companions, formats, reader } = this.#options;
    if (event !== 'keymiss') this.#options.evidence.onKey(db, key);
    const side = formats.sideKey(key);
    if (side) {
      if (side.parent === null || event === 'keymiss') return;
      const isNew = companions.learn(side.parent);
      const isNewBeside = side.isBeside === true && companions.learnSide(side.parent, key);
      reader.request(db, side.parent, isNew || isNewBeside ? ANYWAY : 'event');
    } else if (event === 'keymiss' && reader.isOwnMiss(db, key)) return;
    // One of the two literals each: a member that is spread in makes every event dear.
    if (this.#isChunkLate) this.#pending.push({ kind: 'event', at, db, key, event, late: true });
    else this.#pending.push({ kind: 'event', at, db, key, event });
    if (side) return;
    if (!NEEDS_NO_READ.has(event)) {
      const isLikely =
        LOCK_EVENTS.has(event) || formats.byName(key, this.#isDeclared(key)) !== null;
      reader.request(db, key, 'event', isLikely);
    } else if (event !== 'keymiss' && !companions.isKnown(key)) {
      reader.withdraw(db, key);
    }
  }

  #onOwnKey(db: number, key: Bytes, event: string): void {
    const { canary, canaryId, evidence, ownClient } = this.#options;
    const isWatched = this.#dbs.has(db);
    if (!key.startsWith(CANARY_PREFIX)) {
      if (isWatched) ownClient.observe(db, key, event);
      return;
    }
    canary.observe(key, event);
    const isOurs = key.startsWith(canaryId, CANARY_PREFIX.length);
    if (!isOurs && isWatched) evidence.onOtherConsole();
  }

  #beginChunk(): void {
    this.#chunkAt = this.#options.now();
    this.#isChunkLate = this.#isLate(this.#chunkAt);
  }

  /** Whether events of this key are looked at. */
  isFollowed(key: Bytes): boolean {
    return this.#passes(key);
  }

  /** To be called every BEAT_MS: what comes long after the last beat had to wait for us. */
  beat(): void {
    const now = this.#options.now();
    if (this.#isHeldUp(now)) this.#lateUntil = now + 2 * BEAT_MS;
    this.#beatAt = now;
  }

  /** A connection begins: nothing beats while there is none. */
  begin(): void {
    this.#beatAt = null;
    this.#lateUntil = 0;
  }

  #isHeldUp(at: number): boolean {
    return this.#beatAt !== null && at - this.#beatAt > BEAT_MS + LATE_MS;
  }

  #isLate(at: number): boolean {
    return this.#isHeldUp(at) || at < this.#lateUntil;
  }

  onRead(observation: ReadObservation): void {
    const { companions, evidence, formats, ownClient, reader } = this.#options;
    const { cause, db, key, value, queue } = observation;
    const sweep = this.#options.sweep();
    evidence.onRead(observation);
    ownClient.onRead(observation);
    const isSwept = sweep.progress.running && (cause === 'sweep' || cause === 'resync');
    const again = cause === 'event' ? ANYWAY : cause;
    const isPart = companions.learnBeside(key, value);
    if (isPart) reader.request(db, key, again);
    const mayHaveQueue = queue === null && (value?.type === 'hash' || value?.type === 'zset');
    // A name that is a lock's needs no look at the value to be counted.
    const isNamed = isSwept && !mayHaveQueue && formats.byName(key, this.#isDeclared(key)) !== null;
    if (value !== null && isNamed) sweep.found();
    else if (value !== null && (isSwept || mayHaveQueue)) {
      const context = { declared: this.#isDeclared(key), now: observation.at };
      const found = formats.recognise(key, value, context);
      if (found && isSwept) sweep.found();
      const hasQueue = mayHaveQueue && found?.format.companions(key).queue;
      if (hasQueue && companions.learn(key)) reader.request(db, key, again);
    }
    this.#pending.push(isPart ? { ...observation, isPart } : observation);
  }

  /** Puts observations at this place of the stream. */
  push(...observations: readonly Observation[]): void {
    this.#pending.push(...observations);
  }

  /** For what comes by another way than the stream. */
  deliverNow(observations: readonly Observation[]): void {
    this.push(...observations);
    this.flush();
  }

  /** One socket read is done. */
  flush(): void {
    this.#chunkAt = 0;
    this.#options.reader.chunkEnded();
    if (this.#pending.length === 0) return;
    const observations = this.#pending;
    this.#pending = [];
    this.#options.deliver(observations);
  }

  /** A report names this lock; its own events would have had it read. */
  onReported(db: number, key: Bytes): void {
    if (this.#passes(key) || isOwnKey(key)) return;
    this.#options.reader.request(db, key, 'reconcile');
  }

  /** The lock that a name stands for: itself, the parent of a side key, or none that we watch. */
  lockOf(db: number, key: Bytes): Bytes | null {
    if (isOwnKey(key)) this.#options.ownClient.found(db, key);
    if (isOwnKey(key) || !this.#passes(key)) return null;
    this.#options.evidence.onKey(db, key);
    const side = this.#options.formats.sideKey(key);
    if (!side) return key;
    if (side.parent === null) return null;
    this.#options.companions.learn(side.parent);
    if (side.isBeside) this.#options.companions.learnSide(side.parent, key);
    return side.parent;
  }
}
