import { classify } from '@/lib/analysis/lock-class';
import type { TargetWarning } from '@/lib/protocol/target';
import type { Settings } from '@/server/config';
import { createKeyFilter } from '@/server/watch/key-filter';
import type { Observation } from '@/server/watch/observation';
import { createLockTable } from '@/server/state/lock-table';
import type { LockTable } from '@/server/state/table-contract';
import { createSerial } from '@/server/store/serial';
import { createWatch } from '@/server/watch/watch';
import type { Watch } from '@/server/watch/watch-contract';
import { ChangeLines, type WatchLine } from './change-lines';
import { createOwnerBook } from './owner-book';
import type { WatchSelection } from './watch-selection';

export interface Following {
  settings: Settings;
  selection: WatchSelection;
  all: boolean;
  onLine: (line: WatchLine) => void;
  /** What cannot be seen, each time that this changes; empty = everything is seen. Told once at the start. */
  onSight: (blind: readonly TargetWarning[]) => void;
  /** Its abort ends the following. */
  signal: AbortSignal;
}

const DUE_EVERY_MS = 20;
const TICK_EVERY_MS = 250;
/** Where events do not come, a lock that was named is looked at this often; others are swept. */
const LOOK_EVERY_MS = 250;

/**
 * Follows locks by the parts that the console watches with, until `signal` aborts. Rejects with
 * TARGET_UNAVAILABLE when Redis cannot be reached at the start; later losses are lines.
 */
export async function followLocks(following: Following): Promise<void> {
  const watch = createWatchOf(following);
  const table = createTableOf(following);
  const sight = createSightTeller(following.onSight);
  const lines = new ChangeLines({
    isWanted: following.selection.isWanted,
    all: following.all,
    isBlind: () => sight.isBlind,
  });
  const book = createOwnerBook({ connection: watch.commandConnection, now: Date.now });
  const inOrder = createSerial();
  const tell = async (line: WatchLine): Promise<void> =>
    following.onLine(await book.complete(line));
  const observe = (observations: readonly Observation[]): void => {
    for (const line of lines.of(table.apply(observations))) void inOrder(() => tell(line));
  };
  watch.onObservations(observe);
  watch.setProbes(table.probeable);
  watch.setReconcile(table.nextToReconcile);
  await watch.start();
  const timers = [
    setInterval(() => watch.read(table.takeDue(Date.now(), 1000), 'deadline'), DUE_EVERY_MS),
    setInterval(() => {
      observe([{ kind: 'tick', at: Date.now() }]);
      if (watch.ready) sight.tell(watch.status().warnings);
    }, TICK_EVERY_MS),
    setInterval(() => {
      if (sight.isBlind) watch.read(refsOf(following, watch.status().dbs), 'asked');
    }, LOOK_EVERY_MS),
  ];
  try {
    await aborted(following.signal);
  } finally {
    timers.forEach((timer) => clearInterval(timer));
    await inOrder(async () => undefined);
    await watch.stop();
  }
}

const targetOf = ({ redis }: Settings): string => new URL(redis.displayUrl).host;

const createWatchOf = ({ settings, selection }: Following): Watch =>
  createWatch({
    id: targetOf(settings),
    url: settings.redis.url,
    mode: settings.redis.mode,
    db: settings.redis.db,
    dbs: settings.dbs,
    patterns: selection.patterns,
    everything: selection.everything,
    // Whether Redis is safe to lock in is what "status" and "doctor" tell.
    allowInsecureRedis: true,
    formats: selection.formats,
    now: Date.now,
  });

const createTableOf = ({ settings, selection }: Following): LockTable =>
  createLockTable({
    target: targetOf(settings),
    formats: selection.formats,
    isDeclared: (_, key) => selection.isDeclared(key),
    isWatched: createKeyFilter({
      prefixes: selection.formats.watchedPrefixes,
      globs: selection.patterns,
      everything: selection.everything,
    }),
    classify,
  });

const refsOf = ({ selection }: Following, dbs: readonly number[]) =>
  dbs.flatMap((db) => selection.keys.map((key) => ({ db, key })));

function createSightTeller(onSight: Following['onSight']) {
  let last: string | null = null;
  let isBlind = false;
  return {
    get isBlind() {
      return isBlind;
    },
    tell: (warnings: readonly TargetWarning[]): void => {
      const blind = warnings.filter(({ code }) => code === 'blind');
      const text = blind.map(({ message }) => message).join(' ');
      isBlind = blind.length > 0;
      if (text === last) return;
      last = text;
      onSight(blind);
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
