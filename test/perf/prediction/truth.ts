import type { LockMode } from '@/lib/analysis/lock-order-shape';
import type { Program, Thread } from './program';

/** What can happen in a program, found by trying every interleaving; shares nothing with what is judged by it. */

interface Standing {
  at: number;
  held: Map<string, LockMode>;
}

type State = readonly Standing[];

const stateName = (state: State): string =>
  state.map(({ at, held }) => `${at}:${[...held].flat().join(',')}`).join('|');

/** Who keeps `thread` from a lock, by index. */
function keepOut(state: State, thread: number, lock: string, mode: LockMode): number[] {
  return state.flatMap(({ held }, other) => {
    const theirs = held.get(lock);
    const isFree = theirs === undefined || (theirs === 'read' && mode === 'read');
    return other === thread || isFree ? [] : [other];
  });
}

/** The state after the thread's next operation; null where it has none or waits. */
function advance(threads: readonly Thread[], state: State, thread: number): State | null {
  const standing = state[thread];
  const operation = standing && threads[thread]?.operations[standing.at];
  if (!standing || !operation) return null;
  const { key } = operation.lock;
  const held = new Map(standing.held);
  let at = standing.at + 1;
  if (operation.kind === 'unlock') held.delete(key);
  else if (keepOut(state, thread, key, operation.mode).length === 0) held.set(key, operation.mode);
  else if (operation.kind === 'try') at = operation.otherwise;
  else return null;
  return state.map((each, i) => (i === thread ? { at, held } : each));
}

interface Wait {
  thread: number;
  class: string;
  for: number;
}

function waitsIn(threads: readonly Thread[], state: State): Wait[] {
  return state.flatMap(({ at }, thread) => {
    const operation = threads[thread]?.operations[at];
    if (operation?.kind !== 'lock') return [];
    const { lock, mode } = operation;
    return keepOut(state, thread, lock.key, mode).map((other) => ({
      thread,
      class: lock.class,
      for: other,
    }));
  });
}

/** The classes waited for around each cycle of waits. */
function cyclesOf(waits: readonly Wait[]): string[][] {
  const cycles: string[][] = [];
  const walk = (path: readonly Wait[]): void => {
    const [first, last] = [path[0], path.at(-1)];
    if (!first || !last) return;
    if (last.for === first.thread) return void cycles.push(path.map((wait) => wait.class));
    if (last.for < first.thread || path.some(({ thread }) => thread === last.for)) return;
    for (const next of waits) if (next.thread === last.for) walk([...path, next]);
  };
  for (const wait of waits) walk([wait]);
  return cycles;
}

/** One text for all ways to write a chain: classes that follow themselves once, and the least turn. */
export function chainName(classes: readonly string[]): string {
  const once = classes.filter(
    (each, i) => each !== classes[(i + classes.length - 1) % classes.length],
  );
  const chain = once.length > 0 ? once : classes.slice(0, 1);
  const turns = chain.map((_, i) => [...chain.slice(i), ...chain.slice(0, i)].join(' → '));
  return turns.toSorted()[0] ?? '';
}

function addDeadlocks(threads: readonly Thread[], chains: Set<string>): void {
  const start: State = threads.map(() => ({ at: 0, held: new Map() }));
  const seen = new Set([stateName(start)]);
  const open = [start];
  for (let state = open.pop(); state; state = open.pop()) {
    let moves = 0;
    for (const thread of threads.keys()) {
      const next = advance(threads, state, thread);
      if (!next) continue;
      moves += 1;
      const name = stateName(next);
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(next);
    }
    // Whoever can go on does so in the end: a deadlock of some is still there when no one else moves.
    if (moves === 0) {
      for (const cycle of cyclesOf(waitsIn(threads, state))) chains.add(chainName(cycle));
    }
  }
}

/** The chains of classes in which the program can come to a standstill. */
export function deadlocksOf({ worlds }: Program): Set<string> {
  const chains = new Set<string>();
  for (const threads of worlds) addDeadlocks(threads, chains);
  return chains;
}
