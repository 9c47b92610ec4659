import { isOwnInstance } from '@/lib/formats/qoder-owner';
import type { Member, Owner } from '@/lib/protocol/lock';
import type { ClientsObservation } from '@/server/watch/observation';
import { setHint } from './hints';
import { livenessOf, marksOf, sight } from './liveness';
import type { TableState } from './table-state';
import type { Tracked } from './tracked';

/** Locks whose holders are looked for at once, and those passed over for it: a look must hold up nothing. */
const LOCKS_AT_ONCE = 3_000;
const PASSED_AT_ONCE = 20_000;
/** A lapse wakes nobody: for this long somebody may be asleep for a free lock and is looked for. */
const LAPSED_MS = 60 * 60_000;

/** Who is connected: holders that are there or gone, and clients blocked in the command of a lock's waiters. */
export function applyClients(state: TableState, seen: ClientsObservation): void {
  for (const lock of state.listed) hintBlocked(state, lock, seen);
  const locks = nextLocks(state);
  const marks = new Set<string>();
  for (const lock of locks) {
    for (const owner of ownersOf(lock)) {
      for (const { text } of marksOf(owner, lock)) marks.add(text);
    }
  }
  sight(state.liveness, [...marks], seen);
  settleLiveness(state, locks, seen.at);
}

/** The locks whose turn it is; of few it is that of all. */
function nextLocks({ liveness, rotation }: TableState): Tracked[] {
  const walk = liveness.walk ?? rotation.values();
  const locks: Tracked[] = [];
  for (let passed = 0; locks.length < LOCKS_AT_ONCE && passed < PASSED_AT_ONCE; passed++) {
    const { done, value } = walk.next();
    liveness.walk = done ? null : walk;
    if (done) break;
    if (mayHaveMarks(value)) locks.push(value);
  }
  return locks;
}

const isTelling = ({ instance, host, ip }: Owner): boolean =>
  instance !== null || host !== null || ip !== null;

/** Asked of very many locks. */
const mayHaveMarks = ({ hold, members, format }: Tracked): boolean =>
  (hold?.owner != null && (isTelling(hold.owner) || format.id.startsWith('bull'))) ||
  members.length > 0;

/** While disconnected nothing is claimed of who is there. */
export function forgetClients(state: TableState, at: number): void {
  state.liveness.checkedAt = null;
  state.liveness.walk = null;
  settleLiveness(state, state.rotation, at);
}

function hintBlocked(state: TableState, lock: Tracked, seen: ClientsObservation): void {
  const { at, blocked, patternListeners } = seen;
  const { blockedIn, listensByPattern } = lock.format;
  if (blockedIn) {
    const count = blocked.get(blockedIn)?.count ?? 0;
    const hint = { source: 'blocked-clients', evidence: 'inferred', count, at } as const;
    setHint(state, lock, { source: 'blocked-clients', at, hint });
  }
  // Monitoring listens by patterns as well: of a library that is only guessed it says nothing.
  if (!listensByPattern || !lock.formatCertain) return;
  const hint = {
    source: 'ever-waited',
    evidence: 'inferred',
    count: patternListeners,
    at,
  } as const;
  setHint(state, lock, { source: 'ever-waited', at, hint: patternListeners > 0 ? hint : null });
}

/** Presence of our own client is told by itself (`instances.ts`). */
const isForeign = ({ instance }: Owner): boolean => instance === null || !isOwnInstance(instance);

function ownersOf({ hold, members }: Tracked): Owner[] {
  const owners = members.flatMap(({ owner }) => owner ?? []);
  if (hold?.owner) owners.push(hold.owner);
  return owners.filter(isForeign);
}

function settleLiveness(state: TableState, locks: Iterable<Tracked>, at: number): void {
  for (const lock of locks) {
    if (!mayHaveMarks(lock)) continue;
    const judged = (owner: Owner): Owner => {
      if (!isForeign(owner)) return owner;
      const liveness = livenessOf(state.liveness, marksOf(owner, lock));
      return liveness === owner.liveness ? owner : { ...owner, liveness };
    };
    if (settleOwners(lock, judged)) state.changes.push({ kind: 'lock-changed', at, lock });
  }
}

/** True when any of them has changed. */
function settleOwners(lock: Tracked, judged: (owner: Owner) => Owner): boolean {
  let isChanged = false;
  const { hold } = lock;
  if (hold?.owner) {
    const owner = judged(hold.owner);
    isChanged = owner !== hold.owner;
    hold.owner = owner;
  }
  const members = lock.members.map((member): Member => {
    const owner = member.owner && judged(member.owner);
    return owner && owner !== member.owner ? { ...member, owner } : member;
  });
  if (members.every((member, i) => member === lock.members[i])) return isChanged;
  lock.members = members;
  return true;
}

/** What the list of clients would tell: whether somebody waits, whether holders are there, or nothing. */
export function clientQuestion(state: TableState, now: number): 'waiters' | 'owners' | null {
  for (const lock of state.listed) {
    if (lock.hold || now - (lock.ended[0]?.end ?? 0) < LAPSED_MS) return 'waiters';
    state.listed.delete(lock);
  }
  let passed = 0;
  // The order of the rotation changes all the time: what is not met now is met later.
  for (const lock of state.rotation) {
    if (passed++ >= PASSED_AT_ONCE) break;
    if (!mayHaveMarks(lock)) continue;
    if (ownersOf(lock).some((owner) => marksOf(owner, lock).length > 0)) return 'owners';
  }
  return null;
}
