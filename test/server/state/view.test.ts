import { describe, expect, it } from 'vitest';
import { Lock, PastHold } from '@/lib/protocol/lock';
import { toLock, toPastHold } from '@/server/state/view';
import { createScenario, hash, START, text, UUID_A, UUID_B } from './scenario';

const view = (s: ReturnType<typeof createScenario>, key: string) =>
  Lock.parse(toLock(s.lock(key), [], START));
const A = `${UUID_A}:1`;

describe('a lock on the wire', () => {
  it('is valid in every state', () => {
    const s = createScenario();
    s.events(0, 'lock:\xff\n', 'set');
    expect(view(s, 'lock:\xff\n')).toMatchObject({
      key: 'lock:\\xff\\x0a',
      hold: { owner: { id: '' } },
    });
    s.events(1, 'lock:\xff\n', 'del');
    const free = view(s, 'lock:\xff\n');
    expect(free).toMatchObject({ hold: null, lastEnd: { reason: 'released', owner: null } });
    const [ended] = s.ended('lock:\xff\n');
    expect(ended && PastHold.parse(toPastHold(ended))).toMatchObject({ endReason: 'released' });
  });

  it('changes its version with holder and depth, not with a renewal', () => {
    const s = createScenario();
    const versionAfter = (at: number, value: ReturnType<typeof hash>) => {
      s.events(at, 'inv', 'hincrby', 'expire');
      s.read(at + 1, 'inv', value, { pttl: 29_999 });
      return view(s, 'inv').hold?.version;
    };
    const first = versionAfter(0, hash({ [A]: '1' }));
    s.events(50, 'inv', 'expire');
    s.read(51, 'inv', hash({ [A]: '1' }), { pttl: 29_999 });
    expect(view(s, 'inv').hold?.version).toBe(first);
    const deeper = versionAfter(100, hash({ [A]: '2' }));
    expect(deeper).not.toBe(first);
    expect(versionAfter(200, hash({ [`${UUID_B}:1`]: '2' }))).not.toBe(deeper);
    expect(first).toMatch(/^1\.[0-9a-f]{16}$/);
  });

  it('never claims zero waiters for a library that polls', () => {
    const s = createScenario();
    s.read(0, 'lock:a', text('tok1'), { pttl: 1000 });
    expect(view(s, 'lock:a').waiting).toMatchObject({
      evidence: 'unknown',
      count: null,
      source: 'poll',
    });
  });

  it('knows whether a lock of our own has channels by the type of its value', () => {
    const s = createScenario();
    const key = 'qoder:lock:a';
    s.events(0, key, 'set', 'expire');
    s.apply({ kind: 'subscribers', at: START, db: 0, key, count: 0 });
    s.read(1, key, text('i-1:t'), { pttl: 1000 });
    s.apply({ kind: 'subscribers', at: START + 2, db: 0, key, count: 0 });
    expect(view(s, key).waiting).toMatchObject({
      evidence: 'unknown',
      count: null,
      source: 'poll',
    });
    expect(s.table.probeable()).toEqual([]);
    s.events(3, key, 'del');
    expect(view(s, key).waiting).toMatchObject({ evidence: 'unknown', count: null });
    s.events(4, key, 'hset', 'expire');
    s.read(5, key, hash({ 'i-1:t': '1' }), { pttl: 1000 });
    expect(s.table.probeable()).toMatchObject([{ key }]);
    s.apply({ kind: 'subscribers', at: START + 6, db: 0, key, count: 1 });
    expect(view(s, key).waiting).toMatchObject({
      evidence: 'observed',
      count: 1,
      source: 'pubsub',
    });
  });

  it('knows that nobody waits for a library that never waits', () => {
    const s = createScenario();
    s.read(0, 'bull:q:1:lock', text(`${UUID_A}:1`), { pttl: 1000 });
    expect(view(s, 'bull:q:1:lock').waiting).toMatchObject({ evidence: 'inferred', count: 0 });
  });

  it('counts subscribed instances once they were probed, and not while disconnected', () => {
    const s = createScenario();
    s.read(0, 'inv', hash({ [A]: '1' }), { pttl: 1000 });
    expect(view(s, 'inv').waiting).toMatchObject({ evidence: 'unknown', source: 'not-probed' });
    s.apply({ kind: 'subscribers', at: START, db: 0, key: 'inv', count: 2 });
    expect(view(s, 'inv').waiting).toMatchObject({
      evidence: 'observed',
      count: 2,
      unit: 'instances',
    });
    s.apply({ kind: 'connection', at: START, connected: false });
    expect(s.table.connected).toBe(false);
    expect(view(s, 'inv').waiting).toMatchObject({ evidence: 'unknown', count: null });
  });

  it('names the owners of a fair queue', () => {
    const s = createScenario();
    const queue = [{ owner: 'x\x01', deadline: null, alive: true }];
    s.read(0, 'inv', hash({ [A]: '1' }), { pttl: 1000, queue });
    expect(view(s, 'inv').waiting).toMatchObject({
      evidence: 'observed',
      count: 1,
      unit: 'owners',
      owners: [{ id: 'x\\x01', alive: true }],
    });
    s.apply({ kind: 'connection', at: START, connected: false });
    expect(view(s, 'inv').waiting).toMatchObject({ evidence: 'unknown', count: null, owners: [] });
  });
});
