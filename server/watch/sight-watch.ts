import type { Bytes } from '@/lib/protocol/bytes';
import type { EventConnection } from '@/server/redis/event-connection';
import type { Canary, CanaryVerdict } from './canary';
import type { SightObservation } from './observation';
import type { ServerFacts } from './server-facts';
import { isBlind, judgeSight, NO_PROOF, sameSight, type Sight } from './sight';
import {
  subscribe,
  subscriptionTiers,
  unsubscribe,
  type Subscribed,
  type Tier,
} from './subscription';

/** A narrower subscription is tried again this often when only a wide one was allowed. */
const CHECKS_PER_UPGRADE = 12;

const NOTHING: Subscribed = { mode: null, patterns: [], refusal: null };

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
  keyPatterns: readonly Bytes[];
  now: () => number;
  onJudged: (judgement: Judgement) => void;
}

/** Holds the subscription and proves by the canary what it brings. */
export class SightWatch {
  readonly #options: SightWatchOptions;
  #subscribed: Subscribed = NOTHING;
  #speaksResp3 = true;
  #sight: Sight | null = null;
  #canaryMs: number | null = null;
  #canaryAt: number | null = null;
  /** When everything was last proven to be seen. */
  #clearAt: number | null = null;
  #checks = 0;

  constructor(options: SightWatchOptions) {
    this.#options = options;
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

  /** Subscribes on a new connection. `done` is called where in the stream events become whole. */
  open(speaksResp3: boolean, done: () => void): void {
    this.#speaksResp3 = speaksResp3;
    const settled = (subscribed: Subscribed): void => {
      this.#subscribed = subscribed;
      done();
      this.#runCanary();
    };
    if (speaksResp3) subscribe(this.#options.connection, this.#tiers(), settled);
    else settled(NOTHING);
  }

  close(): void {
    this.#options.canary.reset();
    this.#subscribed = NOTHING;
  }

  /** Every few seconds, after the flags were read: subscribes better where possible, and proves again. */
  check(): void {
    this.#checks++;
    const tiers = this.#tiers();
    const { mode, refusal, patterns } = this.#subscribed;
    const isBest = patterns[0] === tiers[0]?.patterns[0];
    const isUpgradeDue = this.#checks % CHECKS_PER_UPGRADE === 0;
    const hasWrongCarrier = this.#options.facts.notifyFlags !== null && mode !== tiers[0]?.mode;
    if (!this.#speaksResp3) this.#judge(null);
    else if (refusal !== null || (!isBest && (isUpgradeDue || hasWrongCarrier))) {
      this.#resubscribe(tiers, () => this.#runCanary());
    } else this.#runCanary();
  }

  #tiers(): Tier[] {
    const { keyPatterns, dbs, facts } = this.#options;
    return subscriptionTiers(keyPatterns, dbs, facts.notifyFlags);
  }

  #resubscribe(tiers: readonly Tier[], then: () => void): void {
    const { connection } = this.#options;
    const old = this.#subscribed.patterns;
    subscribe(connection, tiers, (result) => {
      this.#subscribed = result;
      unsubscribe(
        connection,
        old.filter((pattern) => !result.patterns.includes(pattern)),
      );
      then();
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
