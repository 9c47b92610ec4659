import { expect, it } from 'vitest';
import { ByClass, MOST_CLASSES } from '@/server/analysers/by-class';

const name = (namespace: string, lockClass = 'pay:*') => ({ namespace, class: lockClass });

it('keeps classes of one name in two namespaces apart, and finds them together', () => {
  const kept = new ByClass<string[]>(() => []);
  kept.of(name('shop')).push('a');
  kept.of(name('bank')).push('b');
  expect(kept.get(name('shop'))).toEqual(['a']);
  expect(kept.named('pay:*').map(({ value }) => value)).toEqual([['a'], ['b']]);
  expect(kept.get(name('shop', 'other:*'))).toBeUndefined();
});

it('lets the classes go that are known longest, whatever their namespace', () => {
  const kept = new ByClass<string[]>(() => []);
  kept.of(name('shop', 'first:*'));
  for (let i = 0; i < MOST_CLASSES; i++) kept.of(name(`of-${i % 7}`, `c${i}:*`));
  kept.of(name('shop', 'last:*'));
  expect(kept.get(name('shop', 'first:*'))).toBeUndefined();
  expect(kept.get(name('of-0', 'c0:*'))).toBeUndefined();
  expect(kept.get(name('shop', 'last:*'))).toBeDefined();
  expect([...kept.all()].length).toBeLessThanOrEqual(MOST_CLASSES);
});
