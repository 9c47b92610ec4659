import { said } from '@/lib/messages/in-english';
import type { Alert } from '@/lib/protocol/alert';
import { fromBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import { MOMENT_CODES, MOMENT_LASTS_MS, type Finding } from '@/server/analysers/finding';
import { lockId } from '@/server/state/lock-record';
import {
  byUrgency,
  endSilence,
  findingHash,
  findingHashOfAlert,
  openAlert,
  refresh,
  reopen,
  resolve,
  type Entry,
} from './alert-life';
import type { AlertBook } from './alerts-contract';

/** A finding that returns within this time was never really gone: the same alert goes on. */
const FLAPPING_MS = 30_000;
/** How long after a restart a finding may take to be found again. */
const RESTORED_LASTS_MS = 30_000;
const SILENCE_MS = 60 * 60 * 1000;
/** Analysers bound what they find; this only guards the process. Beyond it new findings wait for room. */
const OPEN_ALERTS = 10_000;

/**
 * The book of alerts of one target. States and what leads out of them:
 *
 * - `firing`: a finding is there. → acknowledged, silenced, resolved.
 * - `acknowledged`: somebody looked; stays so while the finding lasts. → silenced, resolved.
 * - `silenced`: until a time, then firing. → firing, acknowledged, resolved.
 * - `resolved`: the finding is gone, or a moment is an hour old. Kept 30 s; a finding that returns in
 *   that time reopens it as it was. Afterwards only the store has it.
 *
 * Findings have waited out their own thresholds, so nothing is `pending` here.
 */
export function createAlertBook({ target }: { target: string }): AlertBook {
  return new Book(target);
}

class Book implements AlertBook {
  readonly #target: string;
  /** Both by the hash of the finding's id. */
  readonly #open = new Map<string, Entry>();
  readonly #resolved = new Map<string, Entry>();
  /** Moments that resolved by age and are still being found. */
  #aged = new Set<string>();
  readonly #byId = new Map<string, Entry>();
  #restoredUntil: number | null = null;
  #version = 0;
  #sorted: Alert[] | null = null;
  #codes: Map<string, Set<string>> | null = null;

  constructor(target: string) {
    this.#target = target;
  }

  get version(): number {
    return this.#version;
  }

  update(findings: readonly Finding[], now: number): Alert[] {
    this.#restoredUntil ??= now + RESTORED_LASTS_MS;
    this.#dropResolved(now);
    const changed = new Set<Entry>();
    const found = new Set<string>();
    for (const finding of findings) {
      const hash = findingHash(finding);
      found.add(hash);
      const entry = this.#follow(hash, finding, now);
      if (entry) changed.add(entry);
    }
    this.#aged = new Set([...this.#aged].filter((hash) => found.has(hash)));
    for (const [hash, entry] of this.#open) {
      if (endSilence(entry, now)) changed.add(entry);
      if (!this.#isOver(entry, found.has(hash), now)) continue;
      if (found.has(hash)) this.#aged.add(hash);
      resolve(entry, now);
      this.#open.delete(hash);
      this.#resolved.set(hash, entry);
      changed.add(entry);
    }
    if (changed.size > 0) this.#touch();
    return [...changed].map((entry) => entry.alert);
  }

  acknowledge(id: string, actor: string, reason: string, now: number): Alert {
    return this.#change(id, {
      state: 'acknowledged',
      acknowledgedBy: actor,
      acknowledgedReason: reason,
      silencedUntil: null,
      updatedAt: now,
    });
  }

  silence(
    id: string,
    actor: string,
    reason: string,
    untilMs: number | undefined,
    now: number,
  ): Alert {
    return this.#change(id, {
      state: 'silenced',
      silencedBy: actor,
      silencedReason: reason,
      silencedUntil: untilMs ?? now + SILENCE_MS,
      updatedAt: now,
    });
  }

  restore(alerts: readonly Alert[]): void {
    for (const alert of alerts) {
      if (alert.state === 'resolved' || alert.target !== this.#target) continue;
      const moment = MOMENT_CODES.has(alert.code);
      const entry = { alert, moment, restored: true, grewAt: alert.since, before: alert.state };
      this.#open.set(findingHashOfAlert(alert.id), entry);
      this.#byId.set(alert.id, entry);
    }
    this.#restoredUntil = null;
    this.#touch();
  }

  open(): Alert[] {
    this.#sorted ??= [...this.#open.values()].map((entry) => entry.alert).toSorted(byUrgency);
    return this.#sorted;
  }

  get(id: string): Alert | undefined {
    return this.#byId.get(id)?.alert;
  }

  codesFor(db: number, key: Bytes): string[] {
    this.#codes ??= this.#indexCodes();
    return [...(this.#codes.get(lockId(db, key)) ?? [])];
  }

  /** Opens, reopens or updates. Returns the entry when its alert changed. */
  #follow(hash: string, finding: Finding, now: number): Entry | null {
    if (this.#aged.has(hash)) return null;
    const open = this.#open.get(hash);
    if (open) return refresh(open, finding, now) ? open : null;
    if (this.#open.size >= OPEN_ALERTS) return null;
    const gone = this.#resolved.get(hash);
    if (gone) {
      this.#resolved.delete(hash);
      reopen(gone, finding, now);
    }
    const entry = gone ?? openAlert(finding, this.#target, now);
    this.#open.set(hash, entry);
    this.#byId.set(entry.alert.id, entry);
    return entry;
  }

  #isOver(entry: Entry, isFound: boolean, now: number): boolean {
    if (entry.moment) return now - entry.grewAt > MOMENT_LASTS_MS;
    if (isFound) return false;
    return !entry.restored || this.#restoredUntil === null || now > this.#restoredUntil;
  }

  #dropResolved(now: number): void {
    // In order of resolving: the first that stays ends the loop.
    for (const [hash, { alert }] of this.#resolved) {
      const isRecent = now - (alert.resolvedAt ?? now) <= FLAPPING_MS;
      if (isRecent && this.#resolved.size <= OPEN_ALERTS) return;
      this.#resolved.delete(hash);
      this.#byId.delete(alert.id);
    }
  }

  #change(id: string, to: Partial<Alert>): Alert {
    const entry = this.#byId.get(id);
    if (!entry || entry.alert.state === 'resolved') {
      throw new CodedError('NOT_FOUND', said('not-found:alert', {}), { id });
    }
    entry.alert = { ...entry.alert, ...to };
    this.#touch();
    return entry.alert;
  }

  #touch(): void {
    this.#version += 1;
    this.#sorted = null;
    this.#codes = null;
  }

  #indexCodes(): Map<string, Set<string>> {
    const codes = new Map<string, Set<string>>();
    for (const { code, subject } of this.open()) {
      for (const { db, keyB64 } of subject.locks) {
        const key = fromBase64Url(keyB64);
        if (key === null) continue;
        const id = lockId(db, key);
        const known = codes.get(id);
        if (known) known.add(code);
        else codes.set(id, new Set([code]));
      }
    }
    return codes;
  }
}
