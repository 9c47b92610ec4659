import { describe, expect, it } from 'vitest';
import { noWaitReason, sumByClass, waitEvidence, type ClassSum } from '@/server/queries/class-sums';
import type { Rollup } from '@/server/store/history-contract';
import { aRollup, sketchOf } from './history-samples';

const rollup = (formatId: string, more: Partial<Rollup> = {}): Rollup =>
  aRollup({ formatId, step: 0, waiterMs: null, ...more });

async function sumOf(...rollups: Rollup[]): Promise<ClassSum> {
  const [sum] = await sumByClass(rollups);
  if (!sum) throw new Error('no sum');
  return sum;
}

describe('why no wait of a class is seen', () => {
  it.each([
    ['redlock', 'polls', 'unknown'],
    ['redis-py', 'polls', 'unknown'],
    ['redisson', 'counted-only', 'unknown'],
    ['shedlock', 'never-waits', 'inferred'],
    ['bullmq', 'never-waits', 'inferred'],
    ['redisson-fair', null, 'observed'],
    ['a-format-of-another-version', 'polls', 'unknown'],
  ] as const)('of %s: %s, its waits %s', async (format, reason, evidence) => {
    const sum = await sumOf(rollup(format, { waiterMs: 0 }));
    expect(noWaitReason(sum)).toBe(reason);
    expect(waitEvidence(sum)).toBe(evidence);
  });

  it('is the library that hides most, where a class has several', async () => {
    expect(noWaitReason(await sumOf(rollup('shedlock'), rollup('redisson')))).toBe('counted-only');
    expect(noWaitReason(await sumOf(rollup('redisson'), rollup('redlock')))).toBe('polls');
  });

  it('is of the libraries that were recognised, not of what keys count as until they are read', async () => {
    const sum = await sumOf(rollup('pattern'), rollup('redisson'));
    expect([...sum.formats]).toEqual(['redisson']);
    expect(noWaitReason(sum)).toBe('counted-only');
    expect([...(await sumOf(rollup('pattern'))).formats]).toEqual(['pattern']);
  });

  it('follows the value where a library keeps two kinds, as far as the counts tell them apart', async () => {
    expect(noWaitReason(await sumOf(rollup('qoder', { waiterMs: 0 })))).toBeNull();
    expect(noWaitReason(await sumOf(rollup('qoder')))).toBe('polls');
  });

  it('is none where a wait was timed all the same', async () => {
    const timed = await sumOf(rollup('redlock', { sketches: { 'token-time': sketchOf([5]) } }));
    expect(noWaitReason(timed)).toBeNull();
    expect(waitEvidence(timed)).toBe('inferred');
  });
});
