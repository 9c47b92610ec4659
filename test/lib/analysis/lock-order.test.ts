import { describe, expect, it } from 'vitest';
import { classTemplate } from '@/lib/analysis/lock-class';
import { createLockOrder, type Inversion } from '@/lib/analysis/lock-order';
import type { Sharing } from '@/lib/analysis/lock-order-held';
import type { OrderedLock } from '@/lib/analysis/lock-order-shape';

const DAY_MS = 86_400_000;

const lockOf = (key: string): OrderedLock => ({ db: 0, key, class: classTemplate(key) });

/**
 * Plays lines such as `A: x, y(r), try z, -z, -y, -x` one after the other, a millisecond each: `A` takes x, y to read,
 * tries z, and gives them back.
 */
function played(lines: readonly string[], sharing: Sharing = 'own') {
  const learner = createLockOrder();
  let at = 1;
  const play = (line: string): void => {
    const [owner = '', does = ''] = line.split(': ');
    for (const word of does.split(', ')) {
      at += 1;
      const key = word.replace(/^(-|try )|\(r\)$/g, '');
      const lock = lockOf(key);
      if (word.startsWith('-')) learner.release(owner, lock);
      else {
        const mode = word.endsWith('(r)') ? 'read' : 'write';
        learner.acquire({ owner, lock, mode, at, sharing, isTry: word.startsWith('try ') });
      }
    }
  };
  lines.forEach(play);
  return { learner, play, told: () => learner.inversions(at) };
}

const told = (...lines: string[]): Inversion[] => played(lines).told();
const chains = (...lines: string[]): string[] =>
  told(...lines).map(({ classes }) => classes.join(' '));

const XY = 'x, y, -y, -x';
const YX = 'y, x, -x, -y';

describe('the order in which locks are taken', () => {
  it('is told where two owners contradict each other, with one example of each direction', () => {
    const [found, ...others] = told(`A: ${XY}`, `B: ${YX}`);
    expect(others).toEqual([]);
    expect(found?.classes).toEqual(['x', 'y']);
    expect(found?.steps).toMatchObject([
      { owner: 'A', first: { key: 'x' }, second: { key: 'y' }, at: 3, times: 1 },
      { owner: 'B', first: { key: 'y' }, second: { key: 'x' }, at: 7, times: 1 },
    ]);
    expect(found?.since).toBe(7);
  });

  it('is told once however often it happens, and counts', () => {
    const { told: now, play } = played([`A: ${XY}`, `B: ${YX}`]);
    const [first] = now();
    for (let i = 0; i < 20; i++) {
      play(`A: ${XY}`);
      play(`C${i}: ${YX}`);
    }
    const again = now();
    expect(again.map(({ id }) => id)).toEqual([first?.id]);
    expect(again[0]?.steps.map(({ times }) => times)).toEqual([21, 21]);
    expect(again[0]?.since).toBe(first?.since);
  });

  it('has the same id whoever came first', () => {
    const [one] = told(`A: ${XY}`, `B: ${YX}`);
    const [other] = told(`B: ${YX}`, `A: ${XY}`);
    expect(one?.id).toBe(other?.id);
  });

  it('is learnt while the locks are held still', () => {
    const { learner, told: now } = played(['A: x, y', 'B: y, x']);
    expect(now()).toEqual([]);
    expect(learner.inversions(2000)).toHaveLength(1);
  });

  it('is learnt from who waits, once, whether or not he gets the lock', () => {
    const { learner, play, told: now } = played([`B: ${YX}`, 'A: x']);
    const attempt = { owner: 'A', lock: lockOf('y'), mode: 'write', at: 10 } as const;
    for (let i = 0; i < 5; i++) learner.attempt(attempt);
    expect(now()[0]?.steps).toMatchObject([{ owner: 'A', at: 10, times: 1 }, { owner: 'B' }]);
    play('A: y, -y, -x');
    expect(now()[0]?.steps).toMatchObject([{ times: 1 }, { owner: 'B' }]);
    learner.attempt({ ...attempt, owner: 'C' });
    expect(learner.orders().map(({ times }) => times)).toEqual([1, 1]);
  });

  it('is learnt from all that is held, and not from what was given back', () => {
    expect(chains('A: x, z, y, -y, -z, -x', `B: ${YX}`)).toEqual(['x y']);
    expect(chains('A: x, -x, y, -y', `B: ${YX}`)).toEqual([]);
    expect(chains('A: x, z, -x, y, -y, -z', `B: ${YX}`)).toEqual([]);
  });

  it('is right though the names of holds come in another order than they began', () => {
    const { learner } = played([`B: ${YX}`]);
    const owner = 'A';
    learner.acquire({ owner, lock: lockOf('y'), mode: 'write', at: 101 });
    learner.acquire({ owner, lock: lockOf('x'), mode: 'write', at: 100 });
    learner.release(owner, lockOf('y'));
    learner.release(owner, lockOf('x'));
    expect(learner.inversions(200)).toHaveLength(1);
  });

  it('is that of the beginnings at one moment, by the order given', () => {
    const { learner } = played([`B: ${YX}`]);
    const [owner, at, mode] = ['A', 100, 'write'] as const;
    learner.acquire({ owner, lock: lockOf('y'), mode, at, order: 2 });
    learner.acquire({ owner, lock: lockOf('x'), mode, at, order: 1 });
    learner.release(owner, lockOf('y'));
    expect(learner.inversions(200)).toHaveLength(1);
  });

  it('does not count what had ended when it became known that it had', () => {
    const { learner } = played([`B: ${YX}`]);
    const [owner, mode] = ['A', 'write'] as const;
    learner.acquire({ owner, lock: lockOf('x'), mode, at: 100 });
    learner.acquire({ owner, lock: lockOf('y'), mode, at: 110 });
    learner.release(owner, lockOf('x'), 105);
    learner.release(owner, lockOf('y'));
    expect(learner.inversions(200)).toEqual([]);
  });
});

describe('a chain of orders', () => {
  it('may be longer than two', () => {
    const lines = ['A: x, y, -y, -x', 'B: y, z, -z, -y', 'C: z, w, -w, -z', 'D: w, x, -x, -w'];
    const [found, ...others] = told(...lines);
    expect(others).toEqual([]);
    expect(found?.classes).toEqual(['w', 'x', 'y', 'z']);
    expect(found?.steps.map(({ owner }) => owner)).toEqual(['D', 'A', 'B', 'C']);
  });

  it('is none while a link is missing', () => {
    expect(chains('A: x, y, -y, -x', 'B: y, z, -z, -y', 'C: x, z, -z, -x')).toEqual([]);
  });

  it('is told apart from another through some of the same locks', () => {
    const lines = [`A: ${XY}`, `B: ${YX}`, 'C: y, z, -z, -y', 'D: z, x, -x, -z'];
    expect(chains(...lines).toSorted()).toEqual(['x y', 'x y z']);
  });
});

describe('an order is no danger', () => {
  it('where all do it within one lock', () => {
    expect(chains('A: g, x, y, -y, -x, -g', 'B: g, y, x, -x, -y, -g')).toEqual([]);
  });

  it('but is where one of them, once, does it without', () => {
    const lines = ['A: g, x, y, -y, -x, -g', 'B: g, y, x, -x, -y, -g', `A: ${XY}`];
    expect(chains(...lines)).toEqual(['x y']);
  });

  it('but is where they only read that lock', () => {
    expect(chains('A: g(r), x, y, -y, -x, -g', 'B: g(r), y, x, -x, -y, -g')).toEqual(['x y']);
    expect(chains('A: g(r), x, y, -y, -x, -g', 'B: g, y, x, -x, -y, -g')).toEqual([]);
  });

  it('where the lock around has the id of what it guards', () => {
    const lines = [
      'A: user:7, cart:7, bill:7, -bill:7, -cart:7, -user:7',
      'B: user:9, bill:9, cart:9, -cart:9, -bill:9, -user:9',
    ];
    expect(chains(...lines)).toEqual([]);
    const other = 'C: user:8, bill:9, cart:9, -cart:9, -bill:9, -user:8';
    expect(chains(...lines, other)).toEqual(['bill:* cart:*']);
  });

  it('where one owner alone takes both orders, one after the other', () => {
    expect(chains(`A: ${XY}`, `A: ${YX}`)).toEqual([]);
    expect(chains(`A: ${XY}`, `A: ${YX}`, `B: ${XY}`)).toEqual(['x y']);
  });

  it('where those who wait and those who hold only read', () => {
    expect(chains('A: x, y(r), -y, -x', 'B: y(r), x, -x, -y')).toEqual([]);
    expect(chains('A: x(r), y(r), -y, -x', 'B: y(r), x(r), -x, -y')).toEqual([]);
    expect(chains('A: x(r), y, -y, -x', 'B: y(r), x, -x, -y')).toEqual(['x y']);
    expect(chains('A: x, y(r), -y, -x', 'B: y, x(r), -x, -y')).toEqual(['x y']);
  });

  it('where the second lock is only tried; but what is taken then is', () => {
    expect(chains('A: x, try y, -y, -x', `B: ${YX}`)).toEqual([]);
    expect(chains('A: x, try y, -y, -x', 'B: y, try x, -x, -y')).toEqual([]);
    expect(chains('A: try x, y, -y, -x', `B: ${YX}`)).toEqual(['x y']);
    expect(chains('A: try x, y, -y, -x', 'B: try y, x, -x, -y')).toEqual(['x y']);
  });

  it('where threads that share a name hold two locks at the same time by chance', () => {
    const shared = (...lines: string[]) => played(lines, 'shared').told();
    const chance = ['P: x, y, -y, -x', 'Q: y, x, -x, -y'];
    expect(shared(...chance)).toEqual([]);
    expect(shared(...chance, 'P: y, -y', 'P: x, y, -y, -x', 'Q: y, x, -x, -y')).toEqual([]);
    expect(shared(...chance, ...chance, ...chance)).toHaveLength(1);
    const crossing = ['P: x, y, -x, -y', 'Q: y, x, -y, -x'];
    expect(shared(...crossing, ...crossing, ...chance, ...chance, ...chance)).toEqual([]);
  });
});

describe('an owner of whom it is not known whether threads share its name', () => {
  it('is one thread until it gives locks back as two do; then what it alone has done is forgotten', () => {
    const { told: now, play, learner } = played([`A: ${XY}`, `B: ${YX}`], 'suspected');
    expect(now()).toHaveLength(1);
    play('B: v, w, -v, -w');
    play('B: v, w, -v, -w');
    expect(now()).toHaveLength(1);
    play('B: w, v, -w, -v');
    expect(now()).toEqual([]);
    expect(learner.orders()).toMatchObject([{ first: 'x', second: 'y' }]);
    play(`B: ${YX}`);
    expect(now()).toEqual([]);
    play(`B: ${YX}`);
    expect(now()).toHaveLength(1);
  });
});

describe('locks of one class', () => {
  const pair = (owner: string, first: string, second: string): string =>
    `${owner}: ${first}, ${second}, -${second}, -${first}`;

  it('are fine in the order of their ids, and told in the opposite order', () => {
    const up = [pair('A', 'order:17', 'order:42'), pair('B', 'order:17', 'order:42')];
    expect(chains(...up)).toEqual([]);
    expect(chains(...up, pair('B', 'order:42', 'order:17'))).toEqual(['order:*']);
  });

  it('are told though the same two never met', () => {
    const lines = [pair('A', 'order:17', 'order:42'), pair('B', 'order:99', 'order:50')];
    const [found] = told(...lines);
    expect(found?.classes).toEqual(['order:*']);
    expect(found?.steps.map(({ first }) => first.key).toSorted()).toEqual(['order:17', 'order:99']);
  });

  it('may be in the order of numbers, of text, up or down', () => {
    expect(chains(pair('A', 'order:9', 'order:10'), pair('B', 'order:10', 'order:99'))).toEqual([]);
    expect(chains(pair('A', 'order:10', 'order:9'), pair('B', 'order:11', 'order:12'))).toEqual([]);
    expect(chains(pair('A', 'order:99', 'order:10'), pair('B', 'order:10', 'order:9'))).toEqual([]);
  });

  it('are compared part by part', () => {
    const up = [pair('A', 'seat:3:7', 'seat:3:12'), pair('B', 'seat:3:12', 'seat:4:1')];
    expect(chains(...up)).toEqual([]);
    expect(chains(...up, pair('C', 'seat:4:1', 'seat:3:9'))).toEqual(['seat:*:*']);
  });

  it('may be in an order that their ids do not tell, once they are all known', () => {
    const { told: now, play } = played([]);
    const tree = [pair('A', 'dir:50', 'dir:10'), pair('B', 'dir:50', 'dir:90')];
    tree.forEach(play);
    expect(now()).toHaveLength(1);
    for (let i = 0; i < 10; i++) tree.forEach(play);
    expect(now()).toEqual([]);
  });
});

describe('classes of locks by id', () => {
  const both = (owner: string, first: string, second: string): string =>
    `${owner}: ${first}, ${second}, -${second}, -${first}`;

  it('are told though the very same locks were not seen in both orders', () => {
    expect(chains(both('A', 'cart:1', 'bill:1'), both('B', 'bill:2', 'cart:2'))).toEqual([
      'bill:* cart:*',
    ]);
  });

  it('are not where each half of a system has its own, which are all known', () => {
    const { told: now, play } = played([]);
    const halves = [both('A', 'cart:1', 'bill:1'), both('B', 'bill:2', 'cart:2')];
    for (let i = 0; i < 12; i++) halves.forEach(play);
    expect(now()).toEqual([]);
    play(both('B', 'bill:1', 'cart:1'));
    expect(now()).toHaveLength(1);
  });

  it('are apart in another database', () => {
    const learner = createLockOrder();
    const take = (owner: string, db: number, ...keys: string[]): void => {
      const locks = keys.map((key) => ({ ...lockOf(key), db }));
      for (const [i, lock] of locks.entries()) {
        learner.acquire({ owner, lock, mode: 'write', at: db * 100 + i });
      }
      for (const lock of locks.toReversed()) learner.release(owner, lock);
    };
    for (let i = 0; i < 12; i++) {
      take('A', 0, 'x', 'y');
      take('B', 5, 'y', 'x');
    }
    expect(learner.inversions(9999)).toEqual([]);
    take('B', 0, 'y', 'x');
    expect(learner.inversions(9999)).toHaveLength(1);
  });
});

describe('what is kept of the order of locks', () => {
  it('is listed by class, with how often, when last and an example', () => {
    const { learner } = played([
      'A: order:1, stock:1, -stock:1, -order:1',
      'B: order:2, stock:9, -stock:9, -order:2',
    ]);
    expect(learner.orders()).toMatchObject([
      { first: 'order:*', second: 'stock:*', times: 2, lastAt: 7, example: { owner: 'B' } },
    ]);
  });

  it('is forgotten a week after it was last done', () => {
    const { learner, told: now } = played([`A: ${XY}`, `B: ${YX}`]);
    expect(now()).toHaveLength(1);
    expect(learner.inversions(7 * DAY_MS)).toHaveLength(1);
    expect(learner.inversions(8 * DAY_MS)).toEqual([]);
    expect(learner.orders()).toEqual([]);
  });

  it('is bounded: the longest unseen go, and are counted', () => {
    const { learner, play } = played([]);
    const word = (i: number): string =>
      `w${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i / 26)}`;
    for (let i = 0; i < 4100; i++)
      play(`A: ${word(i)}, ${word(i + 1)}, -${word(i + 1)}, -${word(i)}`);
    expect(learner.orders()).toHaveLength(4000);
    expect(learner.dropped).toBe(100);
    expect(learner.orders().at(-1)?.first).toBe(word(100));
    expect(learner.classes()).toEqual({ count: 4001, isLeaking: true });
  });

  it('stays of what is done again and again, however many locks come whose names never come again', () => {
    const learner = createLockOrder();
    const take = (owner: string, names: readonly [string, string], at: number): void => {
      const [first, second] = names.map((name) => ({ db: 0, key: name, class: name }));
      if (!first || !second) return;
      learner.acquire({ owner, lock: first, mode: 'write', at });
      learner.acquire({ owner, lock: second, mode: 'write', at: at + 1 });
      learner.release(owner, second, at + 2);
      learner.release(owner, first, at + 3);
    };
    let at = 0;
    const flood = (): void => {
      for (let i = 0; i < 9000; i++) take(`o${at}`, [`a${at}`, `b${at}`], (at += 10));
    };
    const work = (): void => {
      take('ada', ['account', 'book'], at);
      take('ben', ['book', 'account'], at);
    };
    for (let turn = 0; turn < 2; turn++) {
      work();
      flood();
    }
    const [told] = learner.inversions(at);
    expect(told?.classes).toEqual(['account', 'book']);
    expect(told?.since).toBe(1);
    expect(learner.orders()).toHaveLength(4000);
    const again = createLockOrder();
    again.restore(learner.habits());
    expect(again.inversions(at).map(({ classes }) => classes)).toEqual([['account', 'book']]);
  });

  it('is bounded per owner, and in owners that never give back', () => {
    const { learner, play } = played([]);
    for (let i = 0; i < 40; i++) play(`A: lock${i}x`);
    for (let i = 0; i < 10_100; i++) play(`owner${i}: x`);
    expect(learner.inversions(1_000_000)).toEqual([]);
    play(`owner0: y, -y`);
    expect(learner.orders().filter(({ second }) => second === 'y')).toEqual([]);
    play(`owner10099: y, -y`);
    expect(learner.orders().filter(({ second }) => second === 'y')).toHaveLength(1);
  });
});
