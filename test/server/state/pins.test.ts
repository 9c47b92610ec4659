import { describe, expect, it } from 'vitest';
import { createScenario, text } from './scenario';

const KEY = 'report';
const TOKEN = text('whatever the application wrote');
const lease = { pttl: 60_000, cause: 'asked' as const };

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
