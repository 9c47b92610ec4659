import { sentence } from '@/lib/messages/sentence';
import { FLAPS } from '@/lib/protocol/closed-sets';
import type { RuleSetting } from '@/lib/protocol/rules';
import type { Sentence } from '@/lib/protocol/sentence';
import { MOMENT_LASTS_MS } from '@/server/analysers/finding';
import { isSilenceOver, UNSILENCED, type Entry } from './alert-life';
import type { Doubt } from './doubt';
import { CALM_MS, type Flaps } from './flaps';
import type { Journal } from './journal';
import type { RuleBook } from './rules';
import type { SilenceBook } from './silences';
import { lines } from './timeline';

/** How long after a restart a finding may take to be found again. */
const RESTORED_LASTS_MS = 30_000;

export interface SettlingParts {
  rules: RuleBook;
  silences: SilenceBook;
  doubt: Doubt;
  flaps: Flaps;
  journal: Journal;
}

/** What time, silence and sight do to an open alert once all findings of a pass are known. */
export class Settling {
  readonly #rules: RuleBook;
  readonly #silences: SilenceBook;
  readonly #doubt: Doubt;
  readonly #flaps: Flaps;
  readonly #journal: Journal;
  #restoredUntil: number | null = null;

  constructor({ rules, silences, doubt, flaps, journal }: SettlingParts) {
    this.#rules = rules;
    this.#silences = silences;
    this.#doubt = doubt;
    this.#flaps = flaps;
    this.#journal = journal;
  }

  /** To be called before the alerts of a pass. True = the first since something was read back. */
  begin(now: number): boolean {
    const isFirst = this.#restoredUntil === null;
    this.#restoredUntil ??= now + RESTORED_LASTS_MS;
    return isFirst;
  }

  /** The grace of what was read back counts from the next pass. */
  restored(): void {
    this.#restoredUntil = null;
  }

  /** Returns why the alert is over, or null. */
  settle(entry: Entry, isFound: boolean, now: number): Sentence | null {
    const { code, labels } = entry.alert;
    const setting = this.#rules.settingFor(code, labels?.class ?? null);
    if (!setting.enabled) return sentence('timeline:resolved-rule', {});
    this.#settleDoubt(entry, isFound, now);
    this.#settlePending(entry, isFound, setting, now);
    this.#settleSilence(entry, now);
    if (entry.moment) {
      return now - entry.grewAt > MOMENT_LASTS_MS
        ? sentence('timeline:resolved-aged', { lastsMs: MOMENT_LASTS_MS })
        : null;
    }
    return isFound ? null : this.#settleGone(entry, setting, now);
  }

  #settleDoubt(entry: Entry, isFound: boolean, now: number): void {
    const { doubtful } = entry.alert;
    const since = this.#doubt.sinceOf(entry);
    if (!doubtful && since !== null) {
      this.#journal.set(entry, { doubtful: { code: 'blind', since }, updatedAt: now });
      this.#journal.tell(entry, lines.doubtful(), now);
    } else if (doubtful && since === null && isFound && this.#doubt.isLifted()) {
      this.#journal.set(entry, { doubtful: null, updatedAt: now });
      this.#journal.tell(entry, lines.certain(entry.alert), now);
    }
  }

  #settlePending(entry: Entry, isFound: boolean, { forMs }: RuleSetting, now: number): void {
    const { alert } = entry;
    if (alert.state !== 'pending') return;
    const firesAt = entry.foundAt + forMs;
    if (isFound && now >= firesAt && !alert.doubtful) {
      this.#journal.set(entry, {
        ...{ state: 'firing', firesAt: null },
        ...{ alertedAt: now, updatedAt: now },
      });
      this.#journal.tell(entry, lines.fired(entry.alert), now);
    } else if (alert.firesAt !== firesAt) {
      this.#journal.set(entry, { firesAt, updatedAt: now });
    }
  }

  /** One of its own goes before those by matcher; what somebody looks after needs none. */
  #settleSilence(entry: Entry, now: number): void {
    if (isSilenceOver(entry, now)) this.#unsilence(entry, now);
    const { state, silenceId = null, silencedUntil } = entry.alert;
    const isByMatcher = state === 'silenced' && silenceId !== null;
    if (state !== 'firing' && !isByMatcher) return;
    const silence = this.#silences.match(entry.alert, now);
    if (silence === null) {
      if (isByMatcher) this.#unsilence(entry, now);
      return;
    }
    const { id, actor, reason, until } = silence;
    if (id === silenceId && until === silencedUntil) return;
    this.#journal.set(entry, {
      state: 'silenced',
      silencedBy: actor,
      silencedReason: reason,
      silencedUntil: until,
      silenceId: id,
      updatedAt: now,
    });
    this.#journal.tell(entry, lines.silencedBy(actor, reason, until - now), now);
  }

  #unsilence(entry: Entry, now: number): void {
    this.#journal.set(entry, { ...UNSILENCED, updatedAt: now });
    this.#journal.tell(entry, lines.unsilenced(), now);
  }

  #settleGone(entry: Entry, { keepFiringMs }: RuleSetting, now: number): Sentence | null {
    const mayYetBeFound = now <= (this.#restoredUntil ?? 0) || !this.#doubt.hasSwept();
    if (entry.restored && mayYetBeFound) return null;
    const isPending = entry.alert.state === 'pending';
    if (entry.goneAt === null) {
      entry.goneAt = now;
      if (!isPending) this.#flaps.gone(entry.hash, now);
    }
    if (!this.#doubt.canEnd(entry)) return null;
    if (isPending) return sentence('timeline:resolved-pending', {});
    const isFlapping = this.#flaps.count(entry.hash, now) > FLAPS;
    const keptMs = Math.max(keepFiringMs, isFlapping ? CALM_MS : 0);
    const keptUntil = entry.goneAt + keptMs;
    if (now >= keptUntil) {
      return sentence('timeline:resolved', { lastedMs: entry.goneAt - entry.alert.since });
    }
    if (entry.alert.keptUntil === keptUntil) return null;
    this.#journal.set(entry, { keptUntil, updatedAt: now });
    if (!isFlapping) this.#journal.tell(entry, lines.gone(keptMs), now);
    return null;
  }
}
