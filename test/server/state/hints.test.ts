import { describe, expect, it } from 'vitest';
import type { Waiting } from '@/lib/protocol/lock';
import type { ReadObservation } from '@/server/watch/observation';
import { toLock } from '@/server/state/view';
import { createScenario, hash, START, text, UUID_A, UUID_B, type Scenario } from './scenario';

const SECOND = 1000;
const MUTEX = 'mutex:shop';
const PY = 'QUJDREVGR0hJSktMTU5PUFFS';

const waiting = (scenario: Scenario, key: string, at: number): Waiting =>
  toLock(scenario.lock(key), [], START + at).waiting;

const sources = (scenario: Scenario, key: string, at: number): string[] =>
  (waiting(scenario, key, at).hints ?? []).map(({ source }) => source);

/** A lock of a polling library, taken and read at the start. */
function polled(): Scenario {
  const scenario = createScenario();
  scenario.events(0, MUTEX, 'set', 'expire');
  scenario.read(10, MUTEX, text(UUID_A), { pttl: 60_000 });
  return scenario;
}

/** A read of the rotation `at` milliseconds after the start, of a key that lay untouched for so long. */
const look = (
  scenario: Scenario,
  at: number,
  idleMs: number | undefined,
  value: ReadObservation['value'] = text(UUID_A),
) =>
  scenario.apply({
    ...{ kind: 'read', at: START + at, db: 0, key: MUTEX, cause: 'reconcile', value },
    ...{ pttl: 60_000, queue: null, fence: null },
    ...(idleMs !== undefined && { idleMs }),
  });

describe('a key that somebody touched', () => {
  it('is waited for, as an inference that ends after a quarter of a minute', () => {
    const scenario = polled();
    expect(waiting(scenario, MUTEX, 20)).toMatchObject({ evidence: 'unknown', source: 'poll' });
    const changes = look(scenario, 4 * SECOND, 0);
    expect(changes.map(({ kind }) => kind)).toContain('lock-changed');
    expect(waiting(scenario, MUTEX, 4 * SECOND)).toMatchObject({
      ...{ evidence: 'inferred', source: 'idle-time', count: null, unit: 'owners' },
      hints: [{ source: 'idle-time', evidence: 'inferred', count: null, at: START + 4 * SECOND }],
    });
    expect(waiting(scenario, MUTEX, 20 * SECOND)).toMatchObject({ evidence: 'unknown' });
    const later = scenario.apply({ kind: 'tick', at: START + 20 * SECOND });
    expect(later).toMatchObject([{ kind: 'lock-changed' }]);
    expect(scenario.lock(MUTEX).hints).toEqual([]);
  });

  it('is not when we ourselves, or an event, may have been what touched it', () => {
    const scenario = polled();
    look(scenario, 4 * SECOND, 3000);
    expect(sources(scenario, MUTEX, 4 * SECOND)).toEqual([]);
    scenario.events(7500, MUTEX, 'expire');
    look(scenario, 8 * SECOND, 0);
    expect(sources(scenario, MUTEX, 8 * SECOND)).toEqual([]);
    look(scenario, 9 * SECOND, 0);
    expect(sources(scenario, MUTEX, 9 * SECOND)).toEqual([]);
  });

  it('says nothing of waiters any more once somebody else holds the lock', () => {
    const scenario = polled();
    look(scenario, 4 * SECOND, 0);
    expect(sources(scenario, MUTEX, 5 * SECOND)).toEqual(['idle-time']);
    scenario.events(5 * SECOND, MUTEX, 'del');
    scenario.events(5 * SECOND, MUTEX, 'set', 'expire');
    scenario.read(5_010, MUTEX, text(UUID_B), { pttl: 60_000 });
    expect(waiting(scenario, MUTEX, 6 * SECOND)).toMatchObject({ evidence: 'unknown' });
    expect(sources(scenario, MUTEX, 6 * SECOND)).toEqual([]);
  });

  it('tells nothing where Redis keeps frequencies instead, nor at a first sight, nor of a free lock', () => {
    const scenario = polled();
    look(scenario, 4 * SECOND, undefined);
    expect(sources(scenario, MUTEX, 4 * SECOND)).toEqual([]);
    scenario.events(5 * SECOND, MUTEX, 'del');
    look(scenario, 9 * SECOND, 0, null);
    expect(sources(scenario, MUTEX, 9 * SECOND)).toEqual([]);
    const fresh = createScenario();
    look(fresh, 0, 0);
    expect(sources(fresh, MUTEX, 0)).toEqual([]);
  });

  it('tells nothing where events do not reach us', () => {
    const scenario = createScenario({
      canSee: { acquire: null, release: false, lapse: true, eviction: true },
    });
    look(scenario, 0, 0);
    look(scenario, 4 * SECOND, 0);
    expect(sources(scenario, MUTEX, 4 * SECOND)).toEqual([]);
  });

  it('tells nothing of a lock whose waiters are counted', () => {
    const scenario = createScenario();
    const value = hash({ [`${UUID_A}:1`]: '1' });
    scenario.events(0, 'inv:9', 'hset', 'expire');
    scenario.read(1, 'inv:9', value, { pttl: 30_000 });
    scenario.apply({
      ...{ kind: 'read', at: START + 4000, db: 0, key: 'inv:9', cause: 'reconcile', value },
      ...{ pttl: 26_000, queue: [], fence: null, idleMs: 0 },
    });
    expect(sources(scenario, 'inv:9', 4000)).toEqual([]);
  });
});

describe('clients that are blocked', () => {
  const clients = (scenario: Scenario, at: number, blocked: [string, number][]) =>
    scenario.apply({
      ...{ kind: 'clients', at: START + at, patternListeners: 0, names: [], addresses: new Set() },
      blocked: new Map(blocked.map(([command, count]) => [command, { count, longestMs: 1000 }])),
    });

  it('are at most the waiters of each lock that blocks in the same command', () => {
    const scenario = createScenario();
    scenario.events(0, 'lock:py', 'set', 'expire');
    scenario.read(1, 'lock:py', text(PY), { pttl: 60_000 });
    clients(scenario, 100, [
      ['blpop', 3],
      ['xread', 9],
    ]);
    expect(waiting(scenario, 'lock:py', 100)).toMatchObject({
      ...{ evidence: 'inferred', source: 'blocked-clients', count: null },
      hints: [{ source: 'blocked-clients', count: 3 }],
    });
    const unchanged = clients(scenario, 2100, [['blpop', 3]]);
    expect(unchanged).toEqual([]);
  });

  it('that are none mean that nobody waits, which is no claim while Redis is out of reach', () => {
    const scenario = createScenario();
    scenario.events(0, 'lock:py', 'set', 'expire');
    scenario.read(1, 'lock:py', text(PY), { pttl: 60_000 });
    clients(scenario, 100, [['xread', 9]]);
    const none = waiting(scenario, 'lock:py', 100);
    expect(none).toMatchObject({ evidence: 'inferred', source: 'blocked-clients', count: 0 });
    expect(none.hints).toBeUndefined();
    scenario.apply({ kind: 'connection', at: START + 200, connected: false });
    expect(waiting(scenario, 'lock:py', 200)).toMatchObject({ evidence: 'unknown', count: null });
  });
});

describe('what a library says it refused', () => {
  it('is a hint with its number, and changes nothing of what is counted', () => {
    const scenario = createScenario();
    const digest = `uniquejobs:${'0'.repeat(32)}`;
    scenario.events(0, digest, 'set');
    scenario.read(1, digest, text('job-1'));
    const refusals = { kind: 'refusals', db: 0, key: digest } as const;
    scenario.apply({ ...refusals, at: START + 10, count: 2 });
    scenario.apply({ ...refusals, at: START + 20, count: 5 });
    expect(waiting(scenario, digest, 20).hints).toMatchObject([
      { source: 'refusals', evidence: 'observed', count: 5 },
    ]);
    expect(scenario.apply({ ...refusals, at: START + 30, key: 'unknown', count: 5 })).toEqual([]);
    expect(sources(scenario, digest, 61 * SECOND)).toEqual([]);
  });
});
