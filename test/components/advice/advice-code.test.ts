import { describe, expect, it } from 'vitest';
import { adviceCode, stockCode } from '@/components/advice/advice-code';
import { sampleAdvice } from '@/components/gallery/advice';
import type { Advice } from '@/lib/protocol/measures';

const [group, split, byId] = sampleAdvice(0).items;

const withKey = (advice: Advice | undefined, key: string): Advice => {
  if (!advice?.lock) throw new Error('the samples have changed');
  return { ...advice, lock: { ...advice.lock, key } };
};

describe('the code of an advice', () => {
  it('draws a part by chance where any will do, and offers the segmented stock', () => {
    const advice = withKey(split, 'qoder:lock:stock:sku-1');
    expect(adviceCode(advice)).toBe(
      'const part = Math.floor(Math.random() * 4);\n' +
        'await locks.using(`stock:sku-1:${part}`, () => work(part));',
    );
    expect(stockCode(advice)).toContain('name: "stock:sku-1", segments: 4');
  });

  it('hashes what is worked on where that decides', () => {
    const advice = withKey(byId, 'sync:all');
    expect(adviceCode(advice)).toContain('hashOf(id) % 2');
    expect(adviceCode(advice)).toContain('`sync:all:${part}`, { businessId: id }');
    expect(stockCode(advice)).toBeNull();
  });

  it('names one lock for two', () => {
    if (!group) throw new Error('the samples have changed');
    expect(adviceCode({ ...group, classes: ['qoder:lock:order:*', 'qoder:lock:pay:*'] })).toBe(
      'await locks.using(`order+pay`, () => workOnBoth());',
    );
  });

  it('is code whatever is in the key', () => {
    for (const key of ['a`b', 'a${b}', 'a\\x00b', 'a"b', "a'b"]) {
      const code = adviceCode(withKey(split, key));
      const source = `return (async (locks, work) => { ${code} })`;
      expect(() => new Function(source), key).not.toThrow();
      expect(code).not.toMatch(/(?<!\\)\$\{b\}/);
    }
  });
});
