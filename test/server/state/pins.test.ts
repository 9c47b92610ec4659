import { describe, expect, it } from 'vitest';
import { beside, zset } from '@/test/support/raw-values';
import { createScenario, START, text } from './scenario';

const KEY = 'report';
const TOKEN = text('whatever the application wrote');
const lease = { pttl: 60_000, cause: 'asked' as const };

describe('a permit that is taken as soon as there is one', () => {
  it('is dated by its events, though the count is read before who has it', () => {
    const s = createScenario({ pinOf: () => 'redisson-permits' });
    s.events(0, KEY, 'set', 'incrby');
    s.read(1, KEY, text('0'), { isPart: true });
    const permits = beside({ '{report}:timeout': zset(['p'.repeat(16), START + 20_000]) });
    s.read(9, KEY, text('0'), { cause: 'asked', beside: permits });
    expect(s.hold(KEY)).toMatchObject({
      since: START,
      sinceEvidence: 'observed',
      leaseMs: 20_000,
      deadline: START + 20_000,
    });
    expect([...s.hold(KEY).notes]).toEqual([]);
    expect(s.lock(KEY).acquisitions).toBe(1);
  });
});

describe('a lock whose pattern is pinned', () => {
  it('is of that library from its next read on, and goes on with the same hold', () => {
    let pin: string | null = null;
    const s = createScenario({ declared: () => true, pinOf: () => pin });
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, TOKEN, lease);
    expect(s.lock(KEY).format.id).toBe('pattern');
    const { generation } = s.hold(KEY);
    pin = 'stackexchange';
    s.read(100, KEY, TOKEN, lease);
    expect(s.lock(KEY)).toMatchObject({
      format: { id: 'stackexchange' },
      formatCertain: true,
      formatBecause: { id: 'pinned' },
      otherFormats: [],
    });
    expect(s.hold(KEY).generation).toBe(generation);
  });

  it('is what it was before once the pin is taken back', () => {
    let pin: string | null = 'stackexchange';
    const s = createScenario({ declared: () => true, pinOf: () => pin });
    s.read(0, KEY, TOKEN, lease);
    pin = null;
    s.read(100, KEY, TOKEN, lease);
    expect(s.lock(KEY)).toMatchObject({ state: 'held', format: { id: 'pattern' } });
  });

  it('is forgotten when nothing but the pin made it a lock', () => {
    let pin: string | null = 'stackexchange';
    const s = createScenario({ pinOf: () => pin });
    s.read(0, KEY, TOKEN, lease);
    expect(s.lock(KEY).state).toBe('held');
    pin = null;
    s.read(100, KEY, TOKEN, lease);
    expect(s.table.get(0, KEY)).toBeUndefined();
    expect(s.kinds()).toContain('lock-forgotten');
  });
});
