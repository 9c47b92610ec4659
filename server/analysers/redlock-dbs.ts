import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import type { Bytes } from '@/lib/protocol/bytes';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import { MOMENT_LASTS_MS, type Finding } from './finding';
import { createSinceSeen } from './since-seen';
import { alertLock, keyName, LISTED_LOCKS, locksSubject, ownerName } from './subject';

/** A Redlock asks all its nodes at once; each may take some time to answer. */
const TOGETHER_MS = 2_000;
/** One might be a copy of the key; the next one is not. */
const LEAST_TOKENS = 2;
/** An attempt, or a release, has reached every node by then. */
const PARTIAL_LASTS_MS = 2_000;
/** What is made at random for one acquire is no shorter. */
const LEAST_TOKEN_BYTES = 16;
const KEPT_KEYS = 5_000;

/** A key that was taken in several dbs at once by one token. */
interface Group {
  dbs: Set<number>;
  /** The first tokens that did so; one that is always the same is none that was made for an acquire. */
  tokens: Set<Bytes>;
  since: number;
  lastAt: number;
}

/** The last acquire of a key, in whichever dbs. */
interface Taken {
  token: Bytes;
  at: number;
  dbs: Set<number>;
}

interface Partial {
  lock: LockRecord;
  hold: HoldRecord;
  missing: number[];
  since: number;
}

function keep<T>(all: Map<Bytes, T>, key: Bytes, value: T): void {
  all.delete(key);
  all.set(key, value);
  dropOldest(all, KEPT_KEYS);
}

const inOrder = (dbs: Iterable<number>): string => [...dbs].sort((a, b) => a - b).join(', ');

/** The token of an acquire that tells something: made for it alone, and seen as it was taken. */
function tokenOf({ token, sinceEvidence, notes }: HoldRecord): Bytes | null {
  if (token === null || token.length < LEAST_TOKEN_BYTES) return null;
  return sinceEvidence === 'observed' && !notes.has('moved-in') ? token : null;
}

/**
 * Locks that are taken in several dbs of this one server by one token, as nodes of a Redlock: they are no independent
 * nodes, and a lock that not all of them hold is one that already failed there.
 */
export function createRedlockDbs(): Analyser {
  const taken = new Map<Bytes, Taken>();
  const groups = new Map<Bytes, Group>();
  const since = createSinceSeen();
  let partials: Partial[] = [];

  const join = (key: Bytes, { token, at, dbs }: Taken): void => {
    const group = groups.get(key) ?? { dbs: new Set(), tokens: new Set(), since: at, lastAt: at };
    keep(groups, key, group);
    if (group.tokens.size < LEAST_TOKENS) group.tokens.add(token);
    for (const db of dbs) group.dbs.add(db);
    group.lastAt = at;
    taken.set(key, { token, at, dbs });
  };

  const take = ({ db, key }: LockRecord, hold: HoldRecord): void => {
    const token = tokenOf(hold);
    if (token === null) return;
    const last = taken.get(key);
    // The same token long after is a renewal that was taken for an acquire, or one that is no random token.
    if (last?.token !== token) keep(taken, key, { token, at: hold.since, dbs: new Set([db]) });
    else if (Math.abs(hold.since - last.at) <= TOGETHER_MS && !last.dbs.has(db)) {
      last.dbs.add(db);
      join(key, last);
    }
  };

  const groupOf = (key: Bytes): Group | null => {
    const group = groups.get(key);
    return group && group.tokens.size >= LEAST_TOKENS ? group : null;
  };

  return {
    needs: 'events',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'hold-started' || change.kind === 'hold-updated') {
          take(change.lock, change.hold);
        }
      }
    },
    held: (lock, hold, { table, now }) => {
      const group = groupOf(lock.key);
      if (!group?.dbs.has(lock.db) || hold.token === null) return;
      const holds = (db: number): boolean => table.get(db, lock.key)?.hold?.token === hold.token;
      const [first] = [...group.dbs].filter(holds);
      const missing = [...group.dbs].filter((db) => !holds(db));
      if (first !== lock.db || missing.length === 0) return;
      const from = since.at(`${lock.key}\0${hold.token}`, now);
      partials.push({ lock, hold, missing, since: from });
    },
    findings: (view) => {
      for (const [key, { lastAt }] of groups) {
        if (view.now - lastAt > MOMENT_LASTS_MS) groups.delete(key);
      }
      const found = partials.filter((each) => view.now - each.since > PARTIAL_LASTS_MS);
      partials = [];
      since.next();
      const dependent = [...groups].filter(([, { tokens }]) => tokens.size >= LEAST_TOKENS);
      return [...oneServer(dependent, view), ...found.map(partialFinding)];
    },
  };
}

function oneServer(groups: readonly (readonly [Bytes, Group])[], { target }: View): Finding[] {
  const [first] = groups;
  if (!first) return [];
  const dbs = new Set(groups.flatMap(([, group]) => [...group.dbs]));
  const locks = groups
    .slice(0, LISTED_LOCKS)
    .flatMap(([key, group]) => [...group.dbs].map((db) => alertLock({ db, key })));
  return [
    {
      id: `not-independent:${target.id}`,
      code: 'not-independent',
      severity: 'critical',
      subject: locksSubject(keyName(first[0]), locks),
      summary: [
        sentence('not-independent:dbs', {
          count: groups.length,
          lock: keyName(first[0]),
          dbs: inOrder(dbs),
        }),
      ],
      remedy: [sentence('not-independent:remedy', {})],
      since: Math.min(...groups.map(([, group]) => group.since)),
      count: groups.length,
      evidence: 'inferred',
      moment: false,
    },
  ];
}

function partialFinding({ lock, hold, missing, since }: Partial): Finding {
  return {
    id: `redlock-partial:${alertLock(lock).keyB64}`,
    code: 'redlock-partial',
    severity: 'warning',
    subject: locksSubject(
      keyName(lock.key),
      [lock.db, ...missing].map((db) => alertLock({ db, key: lock.key })),
    ),
    summary: [
      sentence('redlock-partial:dbs', { owner: ownerName(hold), missing: inOrder(missing) }),
    ],
    remedy: [sentence('redlock-partial:dbs-remedy', {})],
    since,
    count: 1,
    evidence: 'inferred',
    moment: false,
  };
}
