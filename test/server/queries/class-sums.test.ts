import { describe, expect, it } from 'vitest';
import { createSketch } from '@/lib/analysis/sketch';
import { noWaitReason, sumByClass, waitEvidence, type ClassSum } from '@/server/queries/class-sums';
import type { Rollup } from '@/server/store/store-contract';

const rollup = (formatId: string, more: Partial<Rollup> = {}): Rollup => ({
  target: 'main',
  class: 'orders:*',
  namespace: '',
  formatId,
  step: 0,
  acquisitions: 1,
  heldMs: 1,
  waiterMs: null,
  ends: {},
  handoffMsSum: 0,
  handoffCount: 0,
  holdSketch: null,
  waitSketches: {},
  ...more,
});

async function sumOf(...rollups: Rollup[]): Promise<ClassSum> {
  const [sum] = await sumByClass(rollups);
  if (!sum) throw new Error('no sum');
  return sum;
}

function sketchBytes(): Uint8Array {
  const sketch = createSketch();
  sketch.add(5);
  return sketch.serialise();
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
    const timed = await sumOf(rollup('redlock', { waitSketches: { 'token-time': sketchBytes() } }));
    expect(noWaitReason(timed)).toBeNull();
    expect(waitEvidence(timed)).toBe('inferred');
  });
});
