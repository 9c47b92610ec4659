import { describe, expect, it } from 'vitest';
import { createClassLearner } from '@/lib/analysis/class-learner';
import { classify } from '@/lib/analysis/lock-class';

const word = (i: number): string =>
  `w${[...`${i}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')}x`;

describe('learnt classes', () => {
  it('are those of the key alone while few names stand in one place', () => {
    const learner = createClassLearner({ templates: [] });
    for (const key of ['order:17', 'lock:pay:eu:9', 'job-lock:default:report', 'import', '', ':']) {
      expect(learner.classify(key)).toEqual(classify(key));
    }
  });

  it('take a place with many names for a variable, and what follows it is told apart still', () => {
    const learner = createClassLearner({ templates: [] });
    for (let i = 0; i < 300; i++) learner.classify(`user:${word(i)}:cart`);
    expect(learner.classify('user:another:cart').class).toBe('user:*:cart');
    expect(learner.classify('user:another:mail').class).toBe('user:*:mail');
    expect(learner.classify('user:another:mail').namespace).toBe('user');
    expect(learner.classify('team:another:mail').class).toBe('team:another:mail');
  });

  it('stay a few hundred with a million keys of every shape', () => {
    const learner = createClassLearner({ templates: [] });
    const seen = new Set<string>();
    for (let i = 0; i < 1_000_000; i++) {
      const key =
        i % 4 === 0
          ? `order:${i}`
          : i % 4 === 1
            ? `user:${word(i)}`
            : i % 4 === 2
              ? `${word(i)}:lock`
              : `shop:${word(i % 150)}:item:${word(i)}`;
      seen.add(learner.classify(key).class);
    }
    expect(seen.size).toBeLessThan(1000);
    expect(learner.size).toBeLessThan(500);
  });

  it('stay bounded where names are many in many places', () => {
    const learner = createClassLearner({ templates: [] });
    for (let i = 0; i < 150; i++) {
      for (let j = 0; j < 150; j++) learner.classify(`${word(i)}:${word(j)}:${word(i * j)}`);
    }
    expect(learner.size).toBeLessThanOrEqual(1000);
  });

  it('give way to declared templates', () => {
    const learner = createClassLearner({ templates: ['user:*'] });
    expect(learner.classify('user:anna:cart')).toEqual({ class: 'user:*', namespace: 'user' });
    expect(learner.size).toBe(0);
  });

  it('go on from those that were learnt before', () => {
    const learner = createClassLearner({ templates: [] });
    for (let i = 0; i < 200; i++) learner.remember(`user:${word(i)}`);
    expect(learner.classify('user:zoe').class).toBe('user:*');
  });
});
