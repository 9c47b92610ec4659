import { NOTHING_BESIDE, type LockFormat, type RawValue } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { LockRecord } from './lock-record';
import type { Pending } from './pending';
import type { ReportedWait } from './report-book';

/** A gap that a lock has not been read after. */
export interface UnseenGap {
  /** Null: from an unknown time on (a hold restored from history without a gap). */
  from: number | null;
  to: number;
  serverRestarted: boolean;
}

/** A lock record with what the table alone needs to know of it. */
export interface Tracked extends LockRecord {
  pending: Pending | null;
  /** Events of this key reach us; a lock that is only known by its queue may have none. */
  hasEvents: boolean;
  /** The present hold's format was confirmed by its value, not only by the key's name. */
  isFormatSettled: boolean;
  /** How its holders were seen to renew: not every format that fits does it so. */
  renewedBy: 'set' | 'expire' | null;
  /** When the last event of the key came. */
  lastEventAt?: number;
  /** The value by which it was met, until the same read has settled its format. */
  metBy: RawValue | null;
  gap: UnseenGap | null;
  releaseIntent: { generation: number; actor: string } | null;
  /** The hold that an operator's release deleted last: its end is known. */
  forceReleased: { generation: number; actor: string } | null;
  /** The last renewal intervals of the present hold, at most eight. */
  intervals: number[] | null;
  /** Earliest entry in the due heap; null = none. */
  dueAt: number | null;
  /** The deadline that was handed out, and when. */
  handedOut: { deadline: number; at: number } | null;
  /** Checks in a row that found the key still there after its deadline. */
  rechecks: number;
  /** Waiters whose joining was seen by an event. */
  seenJoining: Set<Bytes> | null;
  /** Waits that began and ended between the last two reads, until they are told. */
  passed: { from: number; to: number }[] | null;
  /** Waits that our own client reported and that have not been reported to be over, by owner. */
  reported: Map<Bytes, ReportedWait> | null;
  /** When a reentry count was stepped whose `expire` had not come by the next read. */
  leaseOwedAt: number | null;
  /** When the lock was handed over; the holder's first extension confirms that and renews nothing. */
  confirmOwedAt: number | null;
  /** A key miss that may be a late release. */
  missedAt: number | null;
}

/** Shared by all locks that have none: replaced, never written to. */
export const NO_HOLDS: Tracked['ended'] = [];
const NO_OTHERS: Tracked['otherFormats'] = [];
const NO_MEMBERS: Tracked['members'] = [];
const NO_QUEUE: Tracked['queue'] = [];

/** What few locks have anything to say in at a time. */
type Seldom = Pick<
  Tracked,
  | 'brokenBecause'
  | 'permits'
  | 'hints'
  | 'checked'
  | 'renewedBy'
  | 'gap'
  | 'releaseIntent'
  | 'forceReleased'
  | 'intervals'
  | 'handedOut'
  | 'rechecks'
  | 'seenJoining'
  | 'passed'
  | 'reported'
  | 'leaseOwedAt'
  | 'confirmOwedAt'
  | 'missedAt'
>;

const NOTHING_SELDOM: Readonly<Seldom> = Object.freeze({
  brokenBecause: null,
  permits: null,
  hints: undefined,
  checked: undefined,
  renewedBy: null,
  gap: null,
  releaseIntent: null,
  forceReleased: null,
  intervals: null,
  handedOut: null,
  rechecks: 0,
  seenJoining: null,
  passed: null,
  reported: null,
  leaseOwedAt: null,
  confirmOwedAt: null,
  missedAt: null,
});

interface Identity {
  target: string;
  db: number;
  key: Bytes;
  class: string;
  namespace: string;
}

/** A free lock that is not read yet. What it seldom has takes room once it has it. */
class TrackedLock implements Tracked {
  readonly target: string;
  readonly db: number;
  readonly key: Bytes;
  readonly class: string;
  readonly namespace: string;
  format: LockFormat;
  formatCertain = false;
  formatBecause: Tracked['formatBecause'] = null;
  otherFormats = NO_OTHERS;
  state: Tracked['state'] = 'free';
  generation = 0;
  hold: Tracked['hold'] = null;
  members = NO_MEMBERS;
  queue = NO_QUEUE;
  subscribers: number | null = null;
  waitersCurrent = true;
  acquisitions = 0;
  ended = NO_HOLDS;
  raw: RawValue | null = null;
  beside = NOTHING_BESIDE;
  rawPttl: number | null = null;
  rawAt = 0;
  changedAt: number;
  pending: Pending | null = null;
  hasEvents = true;
  isFormatSettled = false;
  lastEventAt: number | undefined = undefined;
  metBy: RawValue | null = null;
  dueAt: number | null = null;
  #seldom: Seldom = NOTHING_SELDOM;

  constructor(identity: Identity, format: LockFormat, at: number) {
    this.target = identity.target;
    this.db = identity.db;
    this.key = identity.key;
    this.class = identity.class;
    this.namespace = identity.namespace;
    this.format = format;
    this.changedAt = at;
  }

  #set<K extends keyof Seldom>(name: K, value: Seldom[K]): void {
    if (this.#seldom[name] === value) return;
    if (this.#seldom === NOTHING_SELDOM) this.#seldom = { ...NOTHING_SELDOM };
    this.#seldom[name] = value;
  }

  get brokenBecause() {
    return this.#seldom.brokenBecause;
  }

  set brokenBecause(value) {
    this.#set('brokenBecause', value);
  }

  get permits() {
    return this.#seldom.permits;
  }

  set permits(value) {
    this.#set('permits', value);
  }

  get hints() {
    return this.#seldom.hints;
  }

  set hints(value) {
    this.#set('hints', value);
  }

  get checked() {
    return this.#seldom.checked;
  }

  set checked(value) {
    this.#set('checked', value);
  }

  get renewedBy() {
    return this.#seldom.renewedBy;
  }

  set renewedBy(value) {
    this.#set('renewedBy', value);
  }

  get gap() {
    return this.#seldom.gap;
  }

  set gap(value) {
    this.#set('gap', value);
  }

  get releaseIntent() {
    return this.#seldom.releaseIntent;
  }

  set releaseIntent(value) {
    this.#set('releaseIntent', value);
  }

  get forceReleased() {
    return this.#seldom.forceReleased;
  }

  set forceReleased(value) {
    this.#set('forceReleased', value);
  }

  get intervals() {
    return this.#seldom.intervals;
  }

  set intervals(value) {
    this.#set('intervals', value);
  }

  get handedOut() {
    return this.#seldom.handedOut;
  }

  set handedOut(value) {
    this.#set('handedOut', value);
  }

  get rechecks() {
    return this.#seldom.rechecks;
  }

  set rechecks(value) {
    this.#set('rechecks', value);
  }

  get seenJoining() {
    return this.#seldom.seenJoining;
  }

  set seenJoining(value) {
    this.#set('seenJoining', value);
  }

  get passed() {
    return this.#seldom.passed;
  }

  set passed(value) {
    this.#set('passed', value);
  }

  get reported() {
    return this.#seldom.reported;
  }

  set reported(value) {
    this.#set('reported', value);
  }

  get leaseOwedAt() {
    return this.#seldom.leaseOwedAt;
  }

  set leaseOwedAt(value) {
    this.#set('leaseOwedAt', value);
  }

  get confirmOwedAt() {
    return this.#seldom.confirmOwedAt;
  }

  set confirmOwedAt(value) {
    this.#set('confirmOwedAt', value);
  }

  get missedAt() {
    return this.#seldom.missedAt;
  }

  set missedAt(value) {
    this.#set('missedAt', value);
  }
}

export const createTracked = (identity: Identity, format: LockFormat, at: number): Tracked =>
  new TrackedLock(identity, format, at);
