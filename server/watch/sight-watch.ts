import type { Bytes } from '@/lib/protocol/bytes';
import type { EventConnection } from '@/server/redis/event-connection';
import type { Canary, CanaryVerdict } from './canary';
import { MAX_PATTERNS } from './key-patterns';
import type { SightObservation } from './observation';
import type { ServerFacts } from './server-facts';
import { isBlind, judgeSight, NO_PROOF, sameSight, type Sight } from './sight';
import {
  ALL_KEYEVENT,
  ALL_KEYSPACE,
  exchange,
  NOT_SUBSCRIBED,
  subscribe,
  subscriptionTiers,
  unsubscribe,
  type Subscribed,
  type Tier,
} from './subscription';

/** A narrower subscription is tried again this often when only a wide one was allowed. */
const CHECKS_PER_UPGRADE = 12;

/** Where old patterns cannot be given back, so many in all are borne. */
const MOST_PATTERNS = 3 * MAX_PATTERNS;

export interface Judgement {
  /** To be sent when what can be seen has changed. */
  observation: SightObservation | null;
  /** Sight was lost; events are missing since then (epoch ms). */
  lostSince: number | null;
  regained: boolean;
}

export interface SightWatchOptions {
  connection: EventConnection;
  canary: Canary;
  facts: ServerFacts;
  dbs: readonly number[];
  /** What is to be subscribed to at first. */
  keyPatterns: readonly Bytes[];
  now: () => number;
  onJudged: (judgement: Judgement) => void;
}

/** Holds the subscription and proves by the canary what it brings. */
export class SightWatch {
  readonly #options: SightWatchOptions;
  #subscribed: Subscribed = NOT_SUBSCRIBED;
  #keyPatterns: readonly Bytes[];
  /** Patterns are being tried; what was wished for meanwhile comes after. */
  #isTrying = false;
  /** False for a user who may not unsubscribe: what was subscribed to stays until the next connection. */
  #mayRemove = true;
  /** Waits for the subscription that was wished for last. */
  #onFollowed: (() => void) | null = null;
  #speaksResp3 = true;
  #sight: Sight | null = null;
  #canaryMs: number | null = null;
  #canaryAt: number | null = null;
  #writeRefusal: string | null | undefined;
  /** When everything was last proven to be seen. */
  #clearAt: number | null = null;
  #checks = 0;

  constructor(options: SightWatchOptions) {
    this.#options = options;
    this.#keyPatterns = options.keyPatterns;
  }

  get subscribed(): Subscribed {
    return this.#subscribed;
  }

  get speaksResp3(): boolean {
    return this.#speaksResp3;
  }

  get sight(): Sight | null {
    return this.#sight;
  }

  get isBlind(): boolean {
    return this.#sight === null || isBlind(this.#sight);
  }

  get canaryMs(): number | null {
    return this.#canaryMs;
  }

  get canaryAt(): number | null {
    return this.#canaryAt;
  }

  /** What Redis answered when it refused our own writes; null = it took them, undefined = it was not asked. */
  get writeRefusal(): string | null | undefined {
    return this.#writeRefusal;
  }

  /** Subscribes on a new connection. `done` is called where in the stream events become whole. */
  open(speaksResp3: boolean, done: () => void): void {
    this.#speaksResp3 = speaksResp3;
    const settled = (subscribed: Subscribed): void => {
      this.#subscribed = subscribed;
      this.#isTrying = false;
      done();
      this.#runCanary();
      this.#follow();
    };
    this.#isTrying = true;
    if (!speaksResp3) settled(NOT_SUBSCRIBED);
    else {
      const wanted = { tiers: this.#tiers(), present: NOT_SUBSCRIBED };
      subscribe(this.#options.connection, wanted, settled);
    }
  }

  close(): void {
    this.#options.canary.reset();
    this.#writeRefusal = undefined;
    this.#subscribed = NOT_SUBSCRIBED;
    this.#isTrying = false;
    this.#mayRemove = true;
  }

  /**
   * Subscribes to other patterns of keys from now on. `done` is called where in the stream their events begin:
   * at once where all keys are subscribed to already, and not where other patterns were wished for meanwhile.
   */
  setKeyPatterns(patterns: readonly Bytes[], done: () => void): void {
    this.#keyPatterns = patterns;
    this.#onFollowed = done;
    this.#subscribed = { ...this.#subscribed, refusal: null };
    this.#follow();
  }

  #follow(): void {
    const { mode, patterns, refusal } = this.#subscribed;
    // What was refused is tried again by the next check.
    if (this.#isTrying || mode === null || refusal !== null) return;
    const narrow = this.#tiers().find((tier) => tier.mode === 'keyspace')?.patterns ?? [];
    const wide = [ALL_KEYSPACE, ALL_KEYEVENT];
    if (patterns.some((pattern) => wide.includes(pattern)) || this.#isAsWished(narrow)) {
      const followed = this.#onFollowed;
      this.#onFollowed = null;
      followed?.();
      return;
    }
    this.#isTrying = true;
    const old = patterns.filter((pattern) => !narrow.includes(pattern));
    const add = narrow.filter((pattern) => !patterns.includes(pattern));
    const remove = this.#mayRemove ? old : [];
    exchange(this.#options.connection, { remove, add }, (exchanged) => {
      this.#isTrying = false;
      if (exchanged === 'refused') {
        const others = this.#tiers().filter((tier) => tier.patterns[0] !== narrow[0]);
        this.#resubscribe(others, () => undefined);
        return;
      }
      if (exchanged !== 'exchanged') this.#mayRemove = false;
      if (exchanged !== 'cannot-remove') {
        const kept = this.#mayRemove ? narrow : [...patterns, ...add];
        this.#subscribed = { mode: 'keyspace', patterns: kept, refusal: null };
        // A new connection begins with none.
        if (kept.length > MOST_PATTERNS) this.#options.connection.drop();
      }
      this.#follow();
    });
  }

  /** These patterns are subscribed to, and no others where that can be helped. */
  #isAsWished(wished: readonly Bytes[]): boolean {
    const { patterns } = this.#subscribed;
    const isOver = this.#mayRemove && patterns.length > wished.length;
    return !isOver && wished.every((pattern) => patterns.includes(pattern));
  }

  /** Every few seconds, after the flags were read: subscribes better where possible, and proves again. */
  check(): void {
    this.#checks++;
    const tiers = this.#tiers();
    const { mode, refusal } = this.#subscribed;
    const isBest = this.#isAsWished(tiers[0]?.patterns ?? []);
    const isUpgradeDue = this.#checks % CHECKS_PER_UPGRADE === 0;
    const hasWrongCarrier = this.#options.facts.notifyFlags !== null && mode !== tiers[0]?.mode;
    if (!this.#speaksResp3) this.#judge(null);
    else if (this.#isTrying) return;
    else if (refusal !== null || (!isBest && (isUpgradeDue || hasWrongCarrier))) {
      this.#resubscribe(tiers, () => this.#runCanary());
    } else this.#runCanary();
  }

  #tiers(): Tier[] {
    const { dbs, facts } = this.#options;
    return subscriptionTiers(this.#keyPatterns, dbs, facts.notifyFlags);
  }

  #resubscribe(tiers: readonly Tier[], then: () => void): void {
    const { connection } = this.#options;
    const present = this.#subscribed;
    this.#isTrying = true;
    subscribe(connection, { tiers, present }, (result) => {
      this.#subscribed = result;
      this.#isTrying = false;
      unsubscribe(
        connection,
        present.patterns.filter((pattern) => !result.patterns.includes(pattern)),
      );
      then();
      this.#follow();
    });
  }

  #runCanary(): void {
    const { canary, dbs, facts } = this.#options;
    if (this.#subscribed.mode === null) {
      this.#judge(null);
      return;
    }
    canary.run(dbs[0] ?? 0, (verdict) => {
      this.#judge(verdict);
      if (facts.notifyFlags === null && seesNothing(verdict)) this.#tryOtherCarrier();
    });
  }

  /** Without CONFIG only trying tells whether events come by key or by event. */
  #tryOtherCarrier(): void {
    const { mode } = this.#subscribed;
    const others = this.#tiers().filter((tier) => tier.mode !== mode);
    // The next check proves it: two canaries at once would mix.
    this.#resubscribe(others, () => undefined);
  }

  #judge(verdict: CanaryVerdict | null): void {
    const at = this.#options.now();
    const wasBlind = this.#sight !== null && isBlind(this.#sight);
    const next = judgeSight({
      canary: verdict?.proof ?? NO_PROOF,
      flags: this.#options.facts.notifyFlags,
      mode: this.#subscribed.mode,
    });
    const blind = isBlind(next);
    const changed = !sameSight(this.#sight, next);
    this.#writeRefusal = verdict?.refusal;
    if (verdict && verdict.refusal === null) {
      // Written but not seen is no canary that came back.
      const cameBack = !seesNothing(verdict);
      this.#canaryMs = cameBack ? verdict.ms : null;
      if (cameBack) this.#canaryAt = at;
    }
    this.#sight = next;
    const lostSince = blind && !wasBlind ? this.#clearAt : null;
    if (!blind) this.#clearAt = at;
    this.#options.onJudged({
      observation: changed ? { kind: 'sight', at, canSee: next.canSee } : null,
      lostSince,
      regained: wasBlind && !blind,
    });
  }
}

function seesNothing({ proof }: CanaryVerdict): boolean {
  const seen = [proof.string, proof.hash, proof.zset, proof.release, proof.lapse];
  return seen.includes(false) && !seen.includes(true);
}
