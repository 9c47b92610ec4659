import type { Stuck, WaitRequest } from '@/lib/analysis/wait-graph';
import { findIncidents, type Incident } from '@/lib/analysis/wait-incidents';
import { createRegions, type Region } from '@/lib/analysis/wait-region';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { LockRef } from '@/server/state/change';
import type { Analyser, View } from './analyser';
import { brokenBy, endingOf, isSameTrail, trailOf, type Trail } from './deadlock-end';
import { findingOf, type About } from './deadlock-finding';
import { closedAt, edgesOf, redlockInstances, stepsOf, type Step } from './deadlock-steps';
import { endsItself, victimOf, walkedFor } from './deadlock-victim';
import { createWaitMap, type WaitMap } from './deadlock-waits';
import type { Ending, Finding } from './finding';
import { alertLock } from './subject';

/** More at once are one tangle; the rest appears as these are resolved. */
const TOLD = 500;
const KEPT_RESOLVED = 100;
/** A check that was not answered by then is asked for again. */
const ASK_AGAIN_MS = 500;
/** What is told of a victim is worked out anew this often. */
const JUDGED_FOR_MS = 2000;
/** So many waits are walked over for that in one pass, so that a large tangle holds up nothing else; the rest follows. */
const WALKED_IN_A_PASS = 300_000;
/** How long after a restart one may take to be found again. */
const RESTORED_LASTS_MS = 30_000;

/** Met in the table, and not told before all of its locks were read once more. */
interface Candidate {
  incident: Incident;
  askedAt: number;
  /** How often each lock had been checked when it was met. */
  checks: ReadonlyMap<string, number>;
  /** The holds and places in queues that it was met with: it is another one with others. */
  places: string;
}

interface Told {
  incident: Incident;
  deadlock: Deadlock;
  trail: Trail[];
  about: About;
  /** -Infinity = not yet. */
  judgedAt: number;
}

interface Standing {
  incident: Incident;
  steps: readonly Step[];
}

export interface DeadlockAnalyser extends Analyser {
  /** Those of the last pass, then the last 100 resolved ones as they were, newest first. */
  deadlocks: () => Deadlock[];
  /** Those that appeared or were resolved since the last call, as they are now. */
  takeChanged: () => Deadlock[];
  /** What broke those that were resolved since the last call. */
  takeEndings: () => Ending[];
  /** Locks to be read at once, with the cause `check`: something is about to be told of them. */
  toCheck: () => LockRef[];
  /** Those that were confirmed when the console stopped: met again, they are the same. */
  restore: (deadlocks: readonly Deadlock[]) => void;
  /** Who waits for whom, as of the last pass. */
  waits: () => WaitMap;
}

const placesOf = (steps: readonly Step[]): string =>
  steps
    .map(({ holding, waiting }) => `${holding?.hold?.generation ?? ''} ${waiting.place}`)
    .join('\n');

const checksOf = ({ lock }: Step): number => lock.checked?.times ?? 0;

/** Was each of its locks read after it was met, and is each wait in the queue as it was read? */
const isChecked = (steps: readonly Step[], { checks }: Candidate): boolean =>
  steps.every(
    (step) =>
      checksOf(step) > (checks.get(step.edge.lock) ?? 0) &&
      step.waiting.isQueued &&
      step.lock.waitersCurrent !== false,
  );

/**
 * Deadlocks among owners that wait by name. Every pass takes all waits and holds anew from the table; what it meets is
 * told once Redis was read again after all of it had been seen, so that waits which were never there at the same time
 * make none. Lives: met → told → resolved; one that comes back unchanged is the same.
 */
export function createDeadlock(): DeadlockAnalyser {
  return new Deadlocks();
}

class Deadlocks implements DeadlockAnalyser {
  readonly needs = 'table';
  #collecting = createWaitMap();
  #waits: WaitMap = createWaitMap();
  #candidates = new Map<string, Candidate>();
  #told = new Map<string, Told>();
  #resolved: Told[] = [];
  readonly #restored = new Map<string, Deadlock>();
  #restoredUntil: number | null = null;
  #changed = new Map<string, Deadlock>();
  #endings: Ending[] = [];
  #toCheck = new Map<string, LockRef>();

  awaited: Analyser['awaited'] = (lock, view) => this.#collecting.add(lock, view.now);

  findings = (view: View): Finding[] => {
    this.#waits = this.#collecting;
    this.#collecting = createWaitMap();
    const { incidents, stuck } = this.#find();
    const before = this.#told;
    const candidates = this.#candidates;
    this.#told = new Map();
    this.#candidates = new Map();
    const standing: Standing[] = [];
    const redlocks = incidents.length > 0 ? redlockInstances(view.table) : new Set<string>();
    for (const incident of incidents) {
      const steps = stepsOf(incident, this.#waits, redlocks);
      if (steps.length < incident.edges.length) continue;
      const told = before.get(incident.id);
      if (told && isSameTrail(told.trail, trailOf(steps))) this.#follow(told, steps, view);
      else if (!this.#confirm(candidates.get(incident.id), incident, steps, view)) continue;
      else this.#tell(incident, steps, view);
      standing.push({ incident, steps });
    }
    this.#judge(standing, stuck, view.now);
    for (const told of before.values()) {
      if (this.#told.get(told.deadlock.id)?.deadlock.since !== told.deadlock.since) {
        this.#resolve(told, view.now);
      }
    }
    this.#endRestored(view.now);
    return standing.flatMap(({ incident, steps }) => {
      const told = this.#told.get(incident.id);
      return told ? [findingOf(told.deadlock, steps, { ...told.about, now: view.now })] : [];
    });
  };

  deadlocks = (): Deadlock[] =>
    [...this.#told.values(), ...this.#resolved]
      .map(({ deadlock }) => deadlock)
      .concat([...this.#restored.values()]);

  takeChanged = (): Deadlock[] => {
    const taken = [...this.#changed.values()];
    this.#changed = new Map();
    return taken;
  };

  takeEndings = (): Ending[] => {
    const taken = this.#endings;
    this.#endings = [];
    return taken;
  };

  toCheck = (): LockRef[] => {
    const refs = [...this.#toCheck.values()];
    this.#toCheck = new Map();
    return refs;
  };

  restore = (deadlocks: readonly Deadlock[]): void => {
    for (const one of deadlocks) {
      if (one.state === 'confirmed') this.#restored.set(one.id, one);
    }
  };

  waits = (): WaitMap => this.#waits;

  #find(): { incidents: Incident[]; stuck: Stuck } {
    const requests: readonly WaitRequest[] = this.#waits.mayBeStuck ? this.#waits.requests() : [];
    const known = [...this.#told.values(), ...this.#candidates.values()];
    return findIncidents(requests, { limit: TOLD, known: known.map(({ incident }) => incident) });
  }

  /** True when it may be told now; else it waits for its locks to be read. */
  #confirm(
    met: Candidate | undefined,
    incident: Incident,
    steps: readonly Step[],
    { now }: View,
  ): boolean {
    const places = placesOf(steps);
    const known = met?.places === places ? met : undefined;
    if (known && isChecked(steps, known)) return true;
    const isDue = !known || now - known.askedAt >= ASK_AGAIN_MS;
    const candidate = known ?? {
      incident,
      askedAt: now,
      places,
      checks: new Map(steps.map((step) => [step.edge.lock, checksOf(step)])),
    };
    this.#candidates.set(incident.id, isDue ? { ...candidate, askedAt: now } : candidate);
    if (!isDue) return false;
    for (const { edge, lock } of steps) {
      this.#toCheck.set(edge.lock, { db: lock.db, key: lock.key });
    }
    return false;
  }

  #tell(incident: Incident, steps: readonly Step[], view: View): void {
    const { id } = incident;
    const trail = trailOf(steps);
    const again = this.#resolved.find(
      (one) => one.deadlock.id === id && isSameTrail(one.trail, trail),
    );
    this.#resolved = this.#resolved.filter((one) => one !== again);
    const since =
      this.#restored.get(id)?.since ?? again?.deadlock.since ?? closedAt(steps, view.now);
    this.#restored.delete(id);
    const about: About = { victim: null, ends: endsItself(steps, view.now), behind: 0 };
    const deadlock: Deadlock = {
      ...{ id, state: 'confirmed', target: view.target.id, since, resolvedAt: null },
      ...edgesOf(steps, view.now),
      ...toldOf(about),
    };
    this.#told.set(id, { incident, deadlock, trail, about, judgedAt: -Infinity });
    this.#keep(deadlock);
  }

  #follow(told: Told, steps: readonly Step[], { now }: View): void {
    const { cycle, evidence } = edgesOf(steps, now);
    const checkedAt = new Map(told.deadlock.cycle.map((edge, i) => [i, edge.checkedAt ?? null]));
    const deadlock: Deadlock = {
      ...told.deadlock,
      cycle: cycle.map((edge, i) => ({ ...edge, checkedAt: checkedAt.get(i) ?? null })),
      evidence,
    };
    this.#told.set(told.incident.id, { ...told, deadlock });
  }

  /** Works out victims anew, those first that were judged longest ago; one at least, however large. */
  #judge(standing: readonly Standing[], stuck: Stuck, now: number): void {
    const due = standing
      .flatMap((one) => {
        const told = this.#told.get(one.incident.id);
        return told && now - told.judgedAt >= JUDGED_FOR_MS ? [{ ...one, told }] : [];
      })
      .toSorted((a, b) =>
        a.told.judgedAt === b.told.judgedAt ? 0 : a.told.judgedAt - b.told.judgedAt,
      );
    if (due.length === 0) return;
    const regionOf = createRegions(stuck);
    let left = WALKED_IN_A_PASS;
    for (const { incident, steps, told } of due) {
      if (left <= 0) return;
      const region = regionOf(incident);
      left -= walkedFor(steps, region.waits);
      const about = aboutOf(steps, region, now);
      const deadlock = { ...told.deadlock, ...toldOf(about) };
      this.#told.set(incident.id, { ...told, deadlock, about, judgedAt: now });
      if (told.judgedAt === -Infinity) this.#keep(deadlock);
    }
  }

  #resolve(told: Told, now: number): void {
    const deadlock: Deadlock = {
      ...told.deadlock,
      ...{ state: 'resolved', resolvedAt: now, brokenBy: brokenBy(told.trail, now) },
    };
    this.#resolved = [{ ...told, deadlock }, ...this.#resolved].slice(0, KEPT_RESOLVED);
    this.#over(deadlock, now);
  }

  /** What was told before the console stopped and is not found again ended while nobody watched. */
  #endRestored(now: number): void {
    if (this.#restored.size === 0) return;
    this.#restoredUntil ??= now + RESTORED_LASTS_MS;
    if (now <= this.#restoredUntil) return;
    for (const deadlock of this.#restored.values()) {
      this.#over({ ...deadlock, state: 'resolved', resolvedAt: now }, now);
    }
    this.#restored.clear();
  }

  #over(deadlock: Deadlock, now: number): void {
    this.#endings = [...this.#endings, endingOf(deadlock, now)].slice(-TOLD - KEPT_RESOLVED);
    this.#keep(deadlock);
  }

  #keep(deadlock: Deadlock): void {
    this.#changed.set(`${deadlock.since} ${deadlock.id}`, deadlock);
    const [oldest] = this.#changed.keys();
    if (this.#changed.size > TOLD + KEPT_RESOLVED && oldest) this.#changed.delete(oldest);
  }
}

const aboutOf = (steps: readonly Step[], { waits, behind }: Region, now: number): About => ({
  victim: victimOf(steps, waits, now),
  ends: endsItself(steps, now),
  behind,
});

const toldOf = ({
  victim,
  ends,
  behind,
}: About): Pick<Deadlock, 'victim' | 'resolvesAt' | 'behind'> => ({
  victim: victim && {
    lock: alertLock(victim.step.lock),
    owner: victim.step.edge.holder,
    frees: victim.frees,
    lostMs: victim.lostMs,
  },
  resolvesAt: ends?.at ?? null,
  behind,
});
