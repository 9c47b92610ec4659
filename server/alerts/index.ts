import { said } from '@/lib/messages/in-english';
import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import { FLAPS } from '@/lib/protocol/closed-sets';
import type { Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import type { Sentence } from '@/lib/protocol/sentence';
import type { Ending, Finding } from '@/server/analysers/finding';
import { lockId } from '@/server/state/lock-record';
import {
  byUrgency,
  findingHash,
  endingOf,
  openAlert,
  refresh,
  reopen,
  resolve,
  restoredEntry,
  UNSILENCED,
  type Entry,
  type Opening,
} from './alert-life';
import type { AlertBook } from './alerts-contract';
import { codesByLock } from './codes-by-lock';
import { ALL_SEEN, createDoubt, type SightNow } from './doubt';
import { Ended } from './ended';
import { createFlaps } from './flaps';
import { joinIncidents } from './incidents';
import { Journal } from './journal';
import { labelsNow, NO_LABELS, type LabelsOf } from './labels';
import { byEnd, goesBefore, isAnothers } from './restored';
import { createRules, type RuleBook } from './rules';
import { Settling } from './settle';
import { createSilences, type SilenceBook } from './silences';
import { lines } from './timeline';

const SILENCE_MS = 60 * 60 * 1000;
/** Analysers bound what they find; this only guards the process. Beyond it new findings wait for room. */
const OPEN_ALERTS = 10_000;

export interface AlertBookOptions {
  target: string;
  /** Left out = the standards. */
  rules?: RuleBook;
  /** Left out = none. */
  silences?: SilenceBook;
  /** Left out = only what findings say themselves. */
  labelsOf?: LabelsOf;
}

/**
 * The book of alerts of one target. States and what leads out of them:
 *
 * - `pending`: a finding is there, but not for as long as its rule wants. → firing, resolved (it never fired then).
 * - `firing`: a finding is there, or was until lately (`keptUntil`). → acknowledged, silenced, resolved.
 * - `acknowledged`: somebody looked; stays so while the finding lasts. → silenced, resolved.
 * - `silenced`: by itself until a time, or by a silence while that goes on; then firing. → firing, acknowledged, resolved.
 * - `resolved`: the finding is gone, or a moment is an hour old. Kept 30 s, and 30 s after a restart; a finding that
 *   returns in that time reopens it as it was. Afterwards only the store has it.
 *
 * A finding that keeps coming back stays open until it is calm (`flaps`). What cannot be seen is doubtful and does not
 * resolve (`doubt.ts`). What a deadlock brings about is part of it (`incidents.ts`).
 */
export const createAlertBook = (options: AlertBookOptions): AlertBook => new Book(options);

class Book implements AlertBook {
  readonly #target: string;
  readonly #rules: RuleBook;
  readonly #labelsOf: LabelsOf;
  readonly #doubt = createDoubt();
  readonly #flaps = createFlaps();
  readonly #journal = new Journal();
  readonly #settling: Settling;
  /** By the hash of the finding's id. */
  readonly #open = new Map<string, Entry>();
  readonly #ended = new Ended();
  /** How conditions ended, by the hash of the finding's id, until the pass that misses them. */
  #endings = new Map<string, Ending>();
  /** Moments that resolved by age and are still being found. */
  #aged = new Set<string>();
  readonly #byId = new Map<string, Entry>();
  /** By the id of a finding: nearly all are found in pass after pass, and to hash an id costs more than to find it. */
  readonly #hashes = new Map<string, string>();
  #version = 0;
  #sorted: Alert[] | null = null;
  #codes: Map<string, Set<string>> | null = null;

  constructor({ target, rules, silences, labelsOf }: AlertBookOptions) {
    this.#target = target;
    this.#rules = rules ?? createRules();
    this.#settling = new Settling({
      ...{ rules: this.#rules, silences: silences ?? createSilences() },
      ...{ doubt: this.#doubt, flaps: this.#flaps, journal: this.#journal },
    });
    this.#labelsOf = labelsOf ?? (({ labels }) => ({ ...NO_LABELS, ...labels }));
  }

  get version(): number {
    return this.#version;
  }

  update(findings: readonly Finding[], now: number, sight: SightNow = ALL_SEEN): Alert[] {
    // What was acted on meanwhile was answered and saved by who did it.
    this.#journal.takeChanged();
    if (this.#settling.begin(now)) this.#ended.beginReturns(now);
    this.#doubt.look(findings, sight, now);
    this.#dropEnded(now);
    const found = new Set<string>();
    if (this.#hashes.size > 2 * findings.length) this.#hashes.clear();
    for (const finding of findings) {
      const hash = this.#hashOf(finding);
      if (this.#follow(hash, finding, now)) found.add(hash);
    }
    this.#aged = new Set([...this.#aged].filter((hash) => found.has(hash)));
    this.#tellEndings(found);
    for (const entry of this.#open.values()) {
      const isFound = found.has(entry.hash);
      const because = this.#settling.settle(entry, isFound, now);
      if (because === null) continue;
      if (entry.moment && isFound) this.#aged.add(entry.hash);
      this.#end(entry, because, now);
    }
    joinIncidents(this.#open.values(), (entry) => this.#journal.note(entry));
    const changed = this.#journal.takeChanged();
    if (changed.length > 0) this.#touch();
    return changed;
  }

  noteEndings(endings: readonly Ending[]): void {
    for (const ending of endings) this.#endings.set(findingHash({ id: ending.finding }), ending);
  }

  acknowledge(id: string, actor: string, reason: string, now: number): Alert {
    const entry = this.#actable(id);
    this.#journal.set(entry, {
      ...UNSILENCED,
      state: 'acknowledged',
      acknowledgedBy: actor,
      acknowledgedReason: reason,
      acknowledgedAt: now,
      updatedAt: now,
    });
    this.#journal.tell(entry, lines.acknowledged(actor, reason), now);
    this.#touch();
    return entry.alert;
  }

  silence(
    id: string,
    actor: string,
    reason: string,
    untilMs: number | undefined,
    now: number,
  ): Alert {
    const entry = this.#actable(id);
    const until = untilMs ?? now + SILENCE_MS;
    this.#journal.set(entry, {
      state: 'silenced',
      silencedBy: actor,
      silencedReason: reason,
      silencedUntil: until,
      silenceId: null,
      updatedAt: now,
    });
    this.#journal.tell(entry, lines.silenced(actor, reason, until - now), now);
    this.#touch();
    return entry.alert;
  }

  restore(alerts: readonly Alert[]): void {
    for (const alert of alerts.toSorted(byEnd)) {
      if (alert.target !== this.#target) continue;
      const { forMs } = this.#rules.settingFor(alert.code, alert.labels?.class ?? null);
      const entry = restoredEntry(alert, forMs);
      const other = this.#open.get(entry.hash)?.alert;
      if (other && !goesBefore(alert, other)) continue;
      if (other) this.#byId.delete(other.id);
      if (alert.state !== 'resolved') this.#open.set(entry.hash, entry);
      else this.#putEnded(entry);
      this.#byId.set(alert.id, entry);
      this.#flaps.recall(entry.hash, entry.alert, entry.goneAt);
    }
    this.#settling.restored();
    this.#touch();
  }

  open(): Alert[] {
    this.#sorted ??= [...this.#open.values()].map((entry) => entry.alert).toSorted(byUrgency);
    return this.#sorted;
  }

  ended(): Alert[] {
    return this.#ended.list();
  }

  get(id: string): Alert | undefined {
    return this.#byId.get(id)?.alert;
  }

  codesFor(db: number, key: Bytes): string[] {
    this.#codes ??= codesByLock(this.open());
    return [...(this.#codes.get(lockId(db, key)) ?? [])];
  }

  unsavedEvents(id?: string): AlertEvent[] {
    return this.#journal.events(id);
  }

  forgetEvents(saved: readonly AlertEvent[]): void {
    this.#journal.forget(saved);
  }

  takeGivenUp(): number[] {
    return this.#journal.takeGivenUp();
  }

  #tellEndings(found: ReadonlySet<string>): void {
    for (const [hash, ending] of this.#endings) {
      const entry = found.has(hash) ? undefined : this.#open.get(hash);
      if (entry) this.#journal.set(entry, { ending: endingOf(ending) });
    }
    this.#endings.clear();
  }

  #hashOf(finding: Finding): string {
    const known = this.#hashes.get(finding.id);
    if (known !== undefined) return known;
    const hash = findingHash(finding);
    this.#hashes.set(finding.id, hash);
    return hash;
  }

  /** Opens, reopens or updates. False = the rule of the finding is switched off. */
  #follow(hash: string, found: Finding, now: number): boolean {
    const open = this.#open.get(hash);
    const labels = open?.alert.labels ?? this.#labelsOf(found);
    const { enabled, severity, forMs } = this.#rules.settingFor(found.code, labels.class);
    if (!enabled) return false;
    if (this.#aged.has(hash)) return true;
    const finding = severity === null ? found : { ...found, severity };
    if (open) {
      this.#goOn(open, finding, now);
      return true;
    }
    if (this.#open.size >= OPEN_ALERTS) return true;
    const flaps = this.#flaps.back(hash, now);
    this.#begin({ finding, target: this.#target, labels, forMs, flaps }, now);
    return true;
  }

  #begin(opening: Opening, now: number): void {
    const hash = findingHash(opening.finding);
    const ended = this.#ended.take(hash);
    const gone = ended && isAnothers(ended, opening.labels) ? undefined : ended;
    if (gone) reopen(gone, opening, now);
    else if (ended) this.#byId.delete(ended.alert.id);
    const entry = gone ?? openAlert(opening, now);
    this.#open.set(hash, entry);
    this.#byId.set(entry.alert.id, entry);
    this.#journal.note(entry);
    const { alert } = entry;
    if (alert.state === 'pending')
      this.#journal.tell(entry, lines.pending(alert, opening.forMs), now);
    else this.#journal.tell(entry, gone ? lines.reopened(alert) : lines.fired(alert), now);
    if (opening.flaps > FLAPS) this.#journal.tellFlapping(entry, now);
  }

  #goOn(entry: Entry, finding: Finding, now: number): void {
    const before = entry.alert;
    if (before.ending) this.#journal.set(entry, { ending: null });
    if (entry.goneAt !== null) {
      const flaps = this.#flaps.back(entry.hash, now);
      entry.goneAt = null;
      this.#journal.set(entry, { keptUntil: null, flaps, updatedAt: now });
      if (flaps > FLAPS && (before.flaps ?? 0) <= FLAPS) this.#journal.tellFlapping(entry, now);
      else if (flaps <= FLAPS) this.#journal.tell(entry, lines.reopened(entry.alert), now);
    }
    const isChanged = refresh(entry, finding, now);
    if (isChanged || entry.alert.labels?.owner === null) this.#relabel(entry, finding);
    if (!isChanged) return;
    this.#journal.note(entry);
    this.#journal.tellChange(entry, before, now);
  }

  #relabel(entry: Entry, finding: Finding): void {
    const old = entry.alert.labels ?? NO_LABELS;
    const labels = labelsNow(old, this.#labelsOf(finding));
    if (labels !== old) this.#journal.set(entry, { labels });
  }

  #end(entry: Entry, because: Sentence, now: number): void {
    resolve(entry, now);
    this.#open.delete(entry.hash);
    this.#putEnded(entry);
    this.#journal.note(entry);
    this.#journal.tell(entry, lines.resolved(because, entry.alert), now);
  }

  #putEnded(entry: Entry): void {
    const older = this.#ended.put(entry);
    if (older) this.#byId.delete(older.alert.id);
  }

  #dropEnded(now: number): void {
    for (const { alert } of this.#ended.drop(now, this.#doubt.hasSwept())) {
      this.#byId.delete(alert.id);
    }
  }

  #actable(id: string): Entry {
    const entry = this.#byId.get(id);
    if (!entry || entry.alert.state === 'resolved') {
      throw new CodedError('NOT_FOUND', said('not-found:alert', {}), { id });
    }
    if (entry.alert.state === 'pending') {
      throw new CodedError('CONFLICT', said('alert:pending', {}), { id });
    }
    return entry;
  }

  #touch(): void {
    this.#version += 1;
    this.#sorted = null;
    this.#codes = null;
  }
}
