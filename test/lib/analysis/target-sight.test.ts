import { describe, expect, it } from 'vitest';
import { sampleTargets } from '@/components/gallery/targets';
import { lostSince, sightOfTarget } from '@/lib/analysis/target-sight';
import type { CanSee, Gap, Target, TargetNode } from '@/lib/protocol/target';

const ALL: CanSee = { acquire: true, release: true, lapse: true, eviction: true };
const NONE: CanSee = { acquire: false, release: false, lapse: false, eviction: false };
const UNPROVEN: CanSee = { acquire: null, release: null, lapse: null, eviction: null };
const BLIND = { code: 'blind', message: '', remedy: '' };

function target(
  canSee: CanSee,
  more: Partial<Target> & { node?: Partial<TargetNode> } = {},
): Target {
  const [sample] = sampleTargets(0);
  const [node] = sample?.nodes ?? [];
  if (!sample || !node) throw new Error('no sample');
  return { ...sample, warnings: [], ...more, nodes: [{ ...node, canSee, ...more.node }] };
}

describe('how much of a target is seen', () => {
  it('is the whole, what could not be found out aside', () => {
    expect(sightOfTarget(target({ ...ALL, eviction: null }))).toBe('whole');
    expect(sightOfTarget(target(ALL, { warnings: [BLIND] }))).toBe('whole');
  });

  it('is a part only where one kind of event is seen and another is not', () => {
    expect(sightOfTarget(target({ ...ALL, lapse: false }))).toBe('part');
  });

  it('is nothing without a connection, without events, and where blindness is all that is known', () => {
    expect(sightOfTarget(target(ALL, { node: { connected: false } }))).toBe('nothing');
    expect(sightOfTarget(target(NONE))).toBe('nothing');
    expect(sightOfTarget(target(UNPROVEN, { warnings: [BLIND] }))).toBe('nothing');
  });
});

describe('the time of a loss', () => {
  const gaps: Gap[] = [
    { from: 10, to: 20, reason: 'buffer-cut' },
    { from: 500, to: null, reason: 'connection-lost' },
  ];

  it('is the start of the gap that lasts', () => {
    expect(lostSince(target(ALL, { node: { connected: false, gaps } }))).toBe(500);
    expect(lostSince(target(ALL, { node: { connected: false, gaps: [] } }))).toBeNull();
  });

  it('does not exist while the target is connected, although events may be missed', () => {
    expect(lostSince(target(ALL, { node: { connected: true, gaps } }))).toBeUndefined();
  });
});
