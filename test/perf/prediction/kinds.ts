import type { OrderedLock } from '@/lib/analysis/lock-order-shape';
import type { Random } from '@/test/support/lock-fleet/random';
import { lockOf, nested, threadOf, type Block, type Operation, type Program } from './program';

const NAMES = ['stock', 'order', 'ledger', 'coupon', 'parcel'];

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.between(0, left.length - 1), 1));
}

/** Some of the items, in the order they have. */
function someOf<T>(items: readonly T[], count: number, random: Random): T[] {
  const chosen = new Set(shuffled([...items.keys()], random).slice(0, count));
  return items.filter((_, i) => chosen.has(i));
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const write = (lock: OrderedLock): Block => ({ lock });

const names = (count: number): OrderedLock[] => NAMES.slice(0, count).map((name) => lockOf(name));

/** Threads that take some of these locks in one order, except for those named last, who may take any. */
function threadsBlocks(locks: readonly OrderedLock[], random: Random, strays: number): Block[][] {
  const count = random.between(2, 4);
  return times(count, (i) =>
    times(random.between(1, 2), () => {
      const some = someOf(locks, random.between(2, 3), random);
      return nested((i < count - strays ? some : shuffled(some, random)).map(write));
    }).flat(),
  );
}

const program = (kind: string, ...worlds: Block[][][]): Program => ({
  kind,
  worlds: worlds.map((threads) => threads.map((blocks, i) => threadOf(i, ...blocks))),
});

/** Changes each block of the tree. */
const changed = (blocks: readonly Block[], change: (block: Block) => Block): Block[] =>
  blocks.map((block) => ({ ...change(block), inside: changed(block.inside ?? [], change) }));

export const oneOrder = (random: Random): Program =>
  program('one-order', threadsBlocks(names(5), random, 0));

export const crossed = (random: Random): Program =>
  program('crossed', threadsBlocks(names(4), random, 2));

/** Each thread takes a lock and the next one's; where `isOpen` one of them takes them the other way round. */
export function ring(random: Random): Program {
  const locks = shuffled(names(random.between(3, 5)), random);
  const isOpen = random.isBelow(0.4);
  const threads = locks.map((lock, i) => {
    const pair = [lock, locks[(i + 1) % locks.length] ?? lock];
    return nested((isOpen && i === 0 ? pair.toReversed() : pair).map(write));
  });
  return program('ring', threads);
}

/** A lock around all that contradicts itself, which some forget, or only read. */
export function gated(random: Random): Program {
  const gate = lockOf('gate');
  const fault = random.pick(['none', 'none', 'forgotten', 'read'] as const);
  const threads = threadsBlocks(names(3), random, 2).map((blocks, i): Block[] => {
    if (fault === 'forgotten' && i === 0) return blocks;
    return [{ lock: gate, mode: fault === 'read' ? 'read' : 'write', inside: blocks }];
  });
  return program('gated', threads);
}

export const readers = (random: Random): Program =>
  program(
    'readers',
    threadsBlocks(names(3), random, 2).map((blocks) =>
      changed(blocks, (block) => ({ ...block, mode: random.isBelow(0.6) ? 'read' : 'write' })),
    ),
  );

export const tries = (random: Random): Program =>
  program(
    'tries',
    threadsBlocks(names(3), random, 2).map((blocks) =>
      changed(blocks, (block) => ({ ...block, isTry: random.isBelow(0.4) })),
    ),
  );

const ORDERS = [
  (a: number, b: number) => a - b,
  (a: number, b: number) => b - a,
  (a: number, b: number) => (`${a}` < `${b}` ? -1 : 1),
] as const;

/** Locks of one class by number: in one order, as numbers or as text, up or down; or with one who takes them in any. */
export function numbered(random: Random): Program {
  const ids = shuffled([2, 9, 10, 17, 42, 105], random).slice(0, 4);
  const order = random.pick(ORDERS);
  const hasStray = random.isBelow(0.5);
  const threads = times(random.between(2, 4), (i) =>
    times(2, () => {
      const some = shuffled(ids, random).slice(0, random.between(2, 3));
      const taken = hasStray && i === 0 ? some : some.toSorted(order);
      return nested(taken.map((id) => write(lockOf('order:*', id))));
    }).flat(),
  );
  return program('numbered', threads);
}

/** Locks of one class from a root down: in one order, which their names do not tell. */
export function hierarchy(random: Random): Program {
  const ids = shuffled(['root', 'apex', 'zeta', 'mid', 'beta'], random);
  const threads = times(random.between(2, 4), () =>
    times(2, () =>
      nested(someOf(ids, 2, random).map((id) => write(lockOf('folder:*', id)))),
    ).flat(),
  );
  return program('hierarchy', threads);
}

/** One thread that takes locks in both orders, one after the other; another may join it. */
export function oneThread(random: Random): Program {
  const [a, b, c] = shuffled(names(3), random).map(write);
  if (!a || !b || !c) return program('one-thread', []);
  const both = [...nested([a, b]), ...nested([b, a])];
  const other = random.isBelow(0.5) ? nested([a, b]) : nested([c, a]);
  return program('one-thread', [both, other, nested([c, b])]);
}

/** What handlers do to the locks of an id; every world gives each handler an id of its own. */
function handlers(
  kind: string,
  ids: readonly (readonly number[])[],
  does: readonly ((id: number) => Block[])[],
): Program {
  const worlds = does.reduce<Block[][][]>(
    (all, handle, i) =>
      all.flatMap((threads) => (ids[i] ?? []).map((id) => [...threads, handle(id)])),
    [[]],
  );
  return program(kind, ...worlds);
}

const cart = (id: number): Block => write(lockOf('cart:*', id));
const account = (id: number): Block => write(lockOf('account:*', id));

/** Two classes of locks by the same id, in both orders: any two handlers may meet. */
export function keyed(random: Random): Program {
  const ids = shuffled([3, 8, 11, 25], random).slice(0, 3);
  const isCrossed = random.isBelow(0.6);
  return handlers(
    'keyed',
    [ids, ids],
    [
      (id) => nested([cart(id), account(id)]),
      (id) => nested(isCrossed ? [account(id), cart(id)] : [cart(id), account(id)]),
    ],
  );
}

/** In both orders, but under a lock of the same id; or of another. */
export function keyedGate(random: Random): Program {
  const ids = shuffled([3, 8, 11, 25], random).slice(0, 3);
  const isSame = random.isBelow(0.6);
  const gate = (id: number): Block => write(lockOf('user:*', isSame ? id : id + 100 * (id % 2)));
  return handlers(
    'keyed-gate',
    [ids, ids],
    [
      (id) => nested([gate(id), cart(id), account(id)]),
      (id) => nested([write(lockOf('user:*', id)), account(id), cart(id)]),
    ],
  );
}

/** In both orders, but each half of the system has its own ids; or they share one. */
export function tenants(random: Random): Program {
  const ids = shuffled([1, 2, 3, 4, 5, 6], random);
  const shared = random.isBelow(0.5) ? ids.slice(0, 1) : [];
  return handlers(
    'tenants',
    [ids.slice(0, 3), [...ids.slice(3, 5), ...shared]],
    [(id) => nested([cart(id), account(id)]), (id) => nested([account(id), cart(id)])],
  );
}

/** Two of one class, from one to another: sorted, or as they come. */
export function transfers(random: Random): Program {
  const ids = shuffled([4, 7, 19, 30], random).slice(0, 3);
  const isSorted = random.isBelow(0.5);
  const pairs = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => [from, to]));
  const transfer = (pair: number): Block[] => {
    const [from = 0, to = 0] = pairs[pair] ?? [];
    const order = isSorted ? [Math.min(from, to), Math.max(from, to)] : [from, to];
    return nested(order.map(account));
  };
  const all = [...pairs.keys()];
  return handlers('transfers', [all, all], [transfer, transfer]);
}

/** Anything: locks by hand over hand and out of order, modes, tries. */
export function wild(random: Random): Program {
  const locks = [...names(3), lockOf('order:*', 1), lockOf('order:*', 2)];
  const threads = times(random.between(2, 3), (i) => {
    const operations: Operation[] = [];
    const held: OrderedLock[] = [];
    for (let step = 0; step < 8; step++) {
      const free = locks.filter((lock) => !held.includes(lock));
      if (held.length > 0 && (held.length > 2 || random.isBelow(0.4))) {
        const [lock] = held.splice(random.between(0, held.length - 1), 1);
        if (lock) operations.push({ kind: 'unlock', lock });
        continue;
      }
      const lock = random.pick(free);
      const mode = random.isBelow(0.25) ? 'read' : 'write';
      operations.push({ kind: 'lock', lock, mode });
      held.push(lock);
    }
    for (const lock of held) operations.push({ kind: 'unlock', lock });
    return { name: `thread-${i}`, operations };
  });
  return { kind: 'wild', worlds: [threads] };
}

export const KINDS = [
  ...[oneOrder, crossed, ring, gated, readers, tries, numbered, hierarchy, oneThread],
  ...[keyed, keyedGate, tenants, transfers, wild],
];
