import type { Bytes } from '@/lib/protocol/bytes';

/**
 * How keys begin that caches, sessions, queues and counters are full of. A pattern that lets one of them
 * through brings a flood with it, however few of all names it matches.
 */
const BUSY_HEADS: readonly Bytes[] = [
  'cache:',
  'sess:',
  'session:',
  'sessions:',
  'spring:session:',
  'laravel_cache:',
  'laravel-cache-',
  'laravel_database_',
  'celery-task-meta-',
  'user:',
  'users:',
  'account:',
  'customer:',
  'profile:',
  'product:',
  'products:',
  'item:',
  'cart:',
  'order:',
  'orders:',
  'queue:',
  'job:',
  'message:',
  'notification:',
  'post:',
  'page:',
  'views:',
  'counter:',
  'stats:',
  'metrics:',
  'rate:',
  'ratelimit:',
  'bucket:',
  'token:',
  'auth:',
  'config:',
  'settings:',
  'feature:',
  'location:',
  'room:',
  'log:',
  'search:',
];
/** What a whole flood counts as against all other keys together. */
const FLOOD = 0.02;

/** How often a byte stands in a key: separators and the letters of English before digits and capitals. */
const FREQUENT: readonly [Bytes, number][] = [
  [':ea', 0.066],
  ['rotins', 0.05],
  ['lcudpm', 0.03],
  ['hgbf_-', 0.02],
  ['ywkv', 0.009],
  ['0123456789', 0.006],
];
const SELDOM = 0.003;

/** The bytes that stand at each place of the heads, as far as the shortest goes. */
export function classesOf(heads: readonly Bytes[]): Set<Bytes>[] {
  const length = Math.min(...heads.map((head) => head.length));
  return Array.from({ length }, (_, i) => new Set(heads.map((head) => head.charAt(i))));
}

type Judge = (heads: readonly Bytes[]) => number;

/**
 * Says how many keys that nobody asked for a pattern lets through that is made of the heads it is given. It is
 * asked some ten thousand times for one plan, hence plain arrays.
 */
function createJudge(): Judge {
  const shares = new Float64Array(256).fill(SELDOM);
  for (const [bytes, share] of FREQUENT) {
    for (let i = 0; i < bytes.length; i++) shares[bytes.charCodeAt(i)] = share;
  }
  /** In which turn a byte was last met: one turn for each place. */
  const met = new Uint32Array(256);
  let turn = 0;
  return (heads) => {
    let length = Infinity;
    for (const head of heads) length = Math.min(length, head.length);
    let passing = 1;
    let floods: readonly Bytes[] = BUSY_HEADS;
    let flooding = 0;
    for (let i = 0; i < length; i++) {
      let share = 0;
      turn++;
      for (const head of heads) {
        const byte = head.charCodeAt(i);
        if (met[byte] !== turn) share += shares[byte] ?? SELDOM;
        met[byte] = turn;
      }
      passing *= share;
      flooding *= share;
      floods = floods.filter((flood) => {
        if (met[flood.charCodeAt(i)] !== turn) return false;
        if (i < flood.length - 1) return true;
        flooding++;
        return false;
      });
    }
    return passing + FLOOD * (flooding + floods.length);
  };
}

interface Group {
  heads: readonly Bytes[];
  looseness: number;
}

type Regroup = (heads: readonly Bytes[]) => Group;

interface Pair {
  groups: readonly [Group, Group];
  merged: Group;
  loss: number;
}

/** Merges the pair that loses least until `limit` groups are left. */
function merge(heads: readonly Bytes[], limit: number, regroup: Regroup): Group[] {
  const pairUp = (a: Group, b: Group): Pair => {
    const merged = regroup([...a.heads, ...b.heads]);
    return { groups: [a, b], merged, loss: merged.looseness - a.looseness - b.looseness };
  };
  let groups = heads.map((head) => regroup([head]));
  let pairs = groups.flatMap((a, i) => groups.slice(i + 1).map((b) => pairUp(a, b)));
  while (groups.length > limit) {
    const best = pairs.reduce((least, pair) => (pair.loss < least.loss ? pair : least));
    const isLeft = (group: Group): boolean => !best.groups.includes(group);
    groups = groups.filter(isLeft);
    pairs = pairs.filter((pair) => pair.groups.every(isLeft));
    pairs.push(...groups.map((group) => pairUp(group, best.merged)));
    groups.push(best.merged);
  }
  return groups;
}

/** Each round makes something better; a handful is what it takes. */
const MOST_ROUNDS = 20;
/** Less than this is a matter of rounding. */
const LEAST_GAIN = 1e-12;

/** The first way found to move a head of `a` to `b`, or to change it for one of `b`, that lets less through. */
function better(a: Group, b: Group, regroup: Regroup): [Group, Group] | null {
  const now = a.looseness + b.looseness;
  for (const head of a.heads) {
    const rest = a.heads.filter((each) => each !== head);
    for (const back of [null, ...b.heads]) {
      if (back === null && rest.length === 0) continue;
      const left = regroup(back === null ? rest : [...rest, back]);
      if (left.looseness >= now) continue;
      const right = regroup([...b.heads.filter((each) => each !== back), head]);
      if (now - left.looseness - right.looseness > LEAST_GAIN) return [left, right];
    }
  }
  return null;
}

function improve(groups: Group[], regroup: Regroup): void {
  for (let round = 0, isDone = false; !isDone && round < MOST_ROUNDS; round++) {
    isDone = true;
    for (const i of groups.keys()) {
      for (const j of groups.keys()) {
        const [a, b] = [groups[i], groups[j]];
        const found = i === j || !a || !b ? null : better(a, b, regroup);
        if (!found) continue;
        [groups[i], groups[j]] = found;
        isDone = false;
      }
    }
  }
}

/**
 * The heads in at most `limit` groups, so that one positional pattern for each group lets as few other keys
 * through as can be found: pairs are merged, then heads are moved about. The same heads give the same groups.
 */
export function groupHeads(heads: readonly Bytes[], limit: number): Bytes[][] {
  const judge = createJudge();
  const regroup: Regroup = (members) => ({ heads: members, looseness: judge(members) });
  const groups = merge(heads, limit, regroup);
  improve(groups, regroup);
  return groups.map((group) => [...group.heads]);
}
