import { createDeadlock } from '@/server/analysers/deadlock';
import { createUsualHolds } from '@/server/analysers/usual-holds';
import { createOverrunCounts } from '@/server/analysers/overrun-counts';
import type { View } from '@/server/analysers/analyser';
import type { LockRecord } from '@/server/state/lock-record';
import { aHold, aLock, aTable, aTarget, aWaiter, START } from '@/test/support/records';
import { blockEachOther } from './oracle';
import { copyOf, createWorld, randomOf, step, type SimLock, type World } from './world';

export interface LaggingVerdict {
  steps: number;
  /** Deadlocks that were told. */
  told: number;
  /** Of those, how many never stood from when they were met until they were told. */
  phantom: number;
}

const STEPS_PER_WORLD = 5000;
/** What is seen of one lock is as old as this many steps, more or less. */
const READS = 0.3;
const JUDGED = 0.2;
const CHECKED = 0.25;
const FORMATS = {
  mutex: 'redisson-fair',
  'read-write': 'qoder-read-write',
  semaphore: 'qoder-semaphore',
} as const;

const idOf = ({ owner, writes }: SimLock['queue'][number]): string =>
  `o${owner}:1${writes ? ':write' : ''}`;

/** Takes over what the lock is like now, as a read of it does. */
function read(record: LockRecord, { holders, queue, kind }: SimLock, at: number): void {
  const writers = holders.filter(({ writes }) => writes);
  const inside = writers.length > 0 ? writers : holders;
  const [first] = inside;
  record.hold = first ? aHold(idOf(first), { generation: first.since, deadline: null }) : null;
  record.state = first ? 'held' : 'free';
  const isShared = kind === 'semaphore' || inside.length > 1;
  record.members = isShared
    ? inside.map((one) => ({ id: idOf(one), refreshedAt: null, deadline: null, stale: false }))
    : [];
  record.queue = queue.map((place) =>
    aWaiter(idOf(place), { since: START + place.since, deadline: START * 2 + place.since }),
  );
  record.rawAt = START + at;
}

const isAwaited = ({ queue }: LockRecord): boolean => queue.length > 0;

/** One world as the console sees it: a lock now, another lock later, and each question answered later still. */
class Watcher {
  readonly #world: World;
  readonly #records: LockRecord[];
  readonly #analyser = createDeadlock();
  readonly #seen = new Set<string>();
  #asked: ReadonlySet<string> | null = null;
  /** The world at each step since the oldest question that is still open. */
  #past: World[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#records = world.locks.map(({ kind }, i) => aLock(`l${i}`, { formatId: FORMATS[kind] }));
  }

  get hasAsked(): boolean {
    return this.#asked !== null;
  }

  note(): void {
    if (this.#asked) this.#past.push(copyOf(this.#world));
  }

  read(index: number): void {
    const [record, lock] = [this.#records[index], this.#world.locks[index]];
    if (record && lock) read(record, lock, this.#world.step);
  }

  /** One script reads all that is asked for, as they are at that moment. */
  answer(): void {
    this.#records.forEach((record, i) => {
      if (!this.#asked?.has(record.key)) return;
      this.read(i);
      record.checked = { times: (record.checked?.times ?? 0) + 1, at: record.rawAt };
    });
  }

  /** Of each deadlock that is told now, whether it ever stood since its locks were asked for. */
  judge(isAnswered: boolean): boolean[] {
    const view: View = {
      ...{ table: aTable(this.#records), target: aTarget(), usual: createUsualHolds() },
      overruns: createOverrunCounts(),
      ...{ settings: { longHoldMs: 1, noExpiryMs: 1 }, now: START + this.#world.step },
    };
    for (const record of this.#records.filter(isAwaited)) this.#analyser.awaited?.(record, view);
    this.#analyser.findings(view);
    const open = this.#analyser.deadlocks().filter(({ state }) => state === 'confirmed');
    const fresh = open.filter(({ id }) => !this.#seen.has(id));
    const past = [...this.#past, this.#world];
    const stood = fresh.map(({ cycle }) => {
      const owners = [...new Set(cycle.map(({ owner }) => Number(owner.slice(1, -2))))];
      return past.some((then) => blockEachOther(then, owners));
    });
    this.#seen.clear();
    for (const { id } of open) this.#seen.add(id);
    const refs = this.#analyser.toCheck();
    if (refs.length > 0) {
      this.#asked = new Set(refs.map(({ key }) => key));
      this.#past = [copyOf(this.#world)];
    } else if (isAnswered) {
      this.#asked = null;
      this.#past = [];
    }
    return stood;
  }
}

/** The analyser on a view of the locks that is never of one moment, against what truly stood. */
export function lagging(steps: number, seed: number): LaggingVerdict {
  const random = randomOf(seed);
  const verdict: LaggingVerdict = { steps: 0, told: 0, phantom: 0 };
  while (verdict.steps < steps) {
    const world = createWorld(random);
    const watcher = new Watcher(world);
    for (let i = 0; i < STEPS_PER_WORLD && verdict.steps < steps; i++) {
      step(world, random);
      verdict.steps++;
      watcher.note();
      if (random() < READS) watcher.read(Math.floor(random() * world.locks.length));
      const isAnswered = watcher.hasAsked && random() < CHECKED;
      if (isAnswered) watcher.answer();
      if (!isAnswered && random() >= JUDGED) continue;
      for (const stood of watcher.judge(isAnswered)) {
        verdict.told++;
        if (!stood) verdict.phantom++;
      }
    }
  }
  return verdict;
}
