import { expect, it } from 'vitest';
import { createSketch } from '@/lib/analysis/sketch';
import { createUsualHolds } from '@/server/analysers/usual-holds';
import { mostHeld } from '@/server/queries/usual-hold';

const past = (namespace: string, lockClass: string, count: number) => {
  const holds = createSketch();
  for (let i = 0; i < count; i++) holds.add(1000);
  return { namespace, class: lockClass, holds };
};

it('names each of the classes most held once, and leaves out those that are named', () => {
  const usual = createUsualHolds();
  const all = [past('shop', 'pay:*', 300), past('bank', 'pay:*', 400), past('shop', 'cart:*', 350)];
  usual.replacePast([...all, past('shop', 'a:*', 200), past('shop', 'b:*', 150)], 0);
  const named = (limit: number, ...but: string[]) =>
    mostHeld(usual, limit, new Set(but)).map((each) => [each.class, each.holds]);
  expect(named(3)).toEqual([
    ['pay:*', 400],
    ['cart:*', 350],
    ['a:*', 200],
  ]);
  expect(named(2, 'pay:*')).toEqual([
    ['cart:*', 350],
    ['a:*', 200],
  ]);
});
