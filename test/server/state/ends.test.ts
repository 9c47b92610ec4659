import { describe, expect, it } from 'vitest';
import { createScenario, START, text } from './scenario';

const KEY = 'lock:x';

function held(options: Parameters<typeof createScenario>[0] = {}, pttl = 500) {
  const s = createScenario(options);
  s.events(0, KEY, 'set', 'expire');
  s.read(0, KEY, text('A'), { pttl });
  return s;
}

describe('the end of a hold', () => {
  it('is a release on del', () => {
    const s = held();
    s.events(300, KEY, 'del');
    expect(s.ended(KEY)[0]).toMatchObject({
      endReason: 'released',
      end: START + 300,
      endEvidence: 'observed',
    });
  });

  it('is the deadline however late expired comes', () => {
    const s = held();
    s.events(40_000, KEY, 'expired');
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'lease-ended', end: START + 500 });
  });

  it('is the deadline when a check finds the key absent', () => {
    const s = held();
    s.read(503, KEY, null, { cause: 'deadline' });
    const [hold] = s.ended(KEY);
    expect(hold).toMatchObject({ endReason: 'lease-ended', end: START + 500 });
    expect(hold?.notes).toContain('confirmed-by-check');
    const before = s.changes.length;
    s.events(60_000, KEY, 'expired');
    expect(s.changes).toHaveLength(before);
  });

  it('is confirmed by the check that made Redis tell', () => {
    const s = held();
    s.events(502, KEY, 'expired');
    s.read(503, KEY, null, { cause: 'deadline' });
    expect(s.ended(KEY)[0]?.notes).toContain('confirmed-by-check');
    expect(s.kinds().slice(-2)).toEqual(['hold-ended', 'hold-revised']);
  });

  it('counts an extension that no read has shown', () => {
    const s = held();
    s.events(400, KEY, 'expire');
    s.read(600, KEY, null);
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'vanished', end: START + 600, renewals: 1 });
  });

  it.each([
    ['evicted', 'evicted'],
    ['rename_from', 'moved'],
    ['move_from', 'moved'],
  ])('by %s is %s', (event, reason) => {
    const s = held();
    s.events(200, KEY, event);
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: reason, end: START + 200 });
  });

  it('is vanished when the key is gone before its time without an event', () => {
    const s = held();
    s.read(300, KEY, null, { cause: 'reconcile' });
    expect(s.ended(KEY)[0]).toMatchObject({
      endReason: 'vanished',
      end: START + 300,
      endEvidence: 'observed',
    });
  });

  it.each([false, null])('is unknown where releases cannot be seen (%s)', (release) => {
    const s = held({ canSee: { acquire: true, release, lapse: true, eviction: true } });
    s.read(300, KEY, null, { cause: 'reconcile' });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'unknown', endEvidence: 'inferred' });
  });

  it('is only inferred to be the lease where releases cannot be seen', () => {
    const s = held({ canSee: { acquire: true, release: false, lapse: true, eviction: true } });
    s.read(800, KEY, null, { cause: 'reconcile' });
    expect(s.ended(KEY)[0]).toMatchObject({
      endReason: 'lease-ended',
      end: START + 500,
      endEvidence: 'inferred',
    });
  });
});

describe('a gap', () => {
  it('marks the holds that stood in it and lets them go on', () => {
    const s = held({}, 60_000);
    s.gap(100, 400);
    s.read(405, KEY, text('A'), { pttl: 59_595, cause: 'resync' });
    expect(s.hold(KEY)).toMatchObject({ generation: 1 });
    expect(s.hold(KEY).notes).toContain('touches-gap');
    s.read(500, KEY, null);
    expect(s.ended(KEY)[0]?.endReason).toBe('vanished');
  });

  it('hides how a hold ended', () => {
    const s = held({}, 60_000);
    s.gap(100, 400);
    s.read(405, KEY, null, { cause: 'resync' });
    const [hold] = s.ended(KEY);
    expect(hold).toMatchObject({ endReason: 'unknown', end: START + 100 });
    expect(hold?.notes).toContain('ended-in-gap');
  });

  it('in which the lease ended lets that be inferred', () => {
    const s = held();
    s.gap(100, 900);
    s.read(905, KEY, null, { cause: 'resync' });
    expect(s.ended(KEY)[0]).toMatchObject({
      endReason: 'lease-ended',
      end: START + 500,
      endEvidence: 'inferred',
    });
  });

  it('with a restart means that the lock was lost', () => {
    const s = held({}, 30_000);
    s.gap(100, 900, { serverRestarted: true, reason: 'server-restarted' });
    s.read(905, KEY, text('B'), { pttl: 30_000, cause: 'resync' });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'lost-in-failover' });
    expect(s.hold(KEY)).toMatchObject({ token: 'B', generation: 2, sinceEvidence: 'inferred' });
    expect(s.hold(KEY).notes).toContain('started-in-gap');
  });

  it('may have hidden the start of a lock that is met after it, which is then at least that old', () => {
    const s = createScenario();
    s.gap(100, 400);
    s.read(405, 'lock:g2', text('t'), { pttl: 60_000, cause: 'resync' });
    expect(s.hold('lock:g2')).toMatchObject({ since: START + 405, sinceEvidence: 'inferred' });
    expect(s.hold('lock:g2').notes).toContain('started-in-gap');
  });

  it('does not touch what began after it', () => {
    const s = createScenario();
    s.events(500, KEY, 'set', 'expire');
    s.gap(100, 400);
    expect(s.hold(KEY).notes).not.toContain('touches-gap');
  });

  it('does not explain what ends by an event after it', () => {
    const s = held({}, 60_000);
    s.gap(100, 400);
    s.events(450, KEY, 'del');
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'released' });
    expect(s.ended(KEY)[0]?.notes).toContain('touches-gap');
  });
});

describe('a forced release', () => {
  const intent = { kind: 'release-intent', db: 0, key: KEY, actor: 'ann' } as const;

  it('is the del that follows the intent', () => {
    const s = held();
    s.apply({ ...intent, at: START + 90, generation: 1 });
    s.events(100, KEY, 'del');
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'force-released', endedBy: 'ann' });
  });

  it('is taken back when it was refused', () => {
    const s = held();
    s.apply({ ...intent, at: START + 90, generation: 1 });
    s.events(100, KEY, 'del');
    s.apply({ kind: 'release-refused', at: START + 101, db: 0, key: KEY, generation: 1 });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'released', endedBy: null });
    expect(s.kinds().at(-1)).toBe('hold-revised');
  });

  it('stays one however many others were refused at the same time, by whoever did it', () => {
    const done = { kind: 'release-done', at: START + 101, db: 0, key: KEY, generation: 1 } as const;
    const refused = { kind: 'release-refused', at: START + 102, db: 0, key: KEY } as const;
    for (const isDoneFirst of [true, false]) {
      const s = held();
      s.apply({ ...intent, at: START + 90, generation: 1 });
      s.apply({ ...intent, actor: 'bob', at: START + 91, generation: 1 });
      s.events(100, KEY, 'del');
      if (isDoneFirst) s.apply({ ...done, actor: 'ann' });
      s.apply({ ...refused, generation: 1 });
      if (!isDoneFirst) s.apply({ ...done, actor: 'ann' });
      expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'force-released', endedBy: 'ann' });
    }
  });

  it('needs no event to be known once Redis confirmed it', () => {
    const s = held({ canSee: { acquire: true, release: false, lapse: true, eviction: true } });
    s.apply({ ...intent, at: START + 90, generation: 1 });
    s.apply({
      ...{ kind: 'release-done', at: START + 95, db: 0, key: KEY, generation: 1 },
      actor: 'ann',
    });
    s.read(100, KEY, null);
    expect(s.ended(KEY)[0]).toMatchObject({
      endReason: 'force-released',
      endEvidence: 'observed',
      endedBy: 'ann',
    });
  });

  it('does not mark a later hold', () => {
    const s = held();
    s.apply({ ...intent, at: START + 90, generation: 1 });
    s.apply({ kind: 'release-refused', at: START + 95, db: 0, key: KEY, generation: 1 });
    s.events(100, KEY, 'del');
    s.apply({ ...intent, at: START + 110, generation: 1 });
    s.events(120, KEY, 'set', 'expire', 'del');
    expect(s.ended(KEY).map(({ endReason }) => endReason)).toEqual(['released', 'released']);
  });
});

describe('a late release', () => {
  const tick = (at: number) => ({ kind: 'tick', at: START + at }) as const;

  it('is a key miss after the lease that no new hold follows', () => {
    const s = held({}, 100);
    s.events(105, KEY, 'expired');
    s.events(300, KEY, 'keymiss');
    s.apply(tick(400));
    expect(s.ended(KEY)[0]?.lateReleaseMs).toBeNull();
    s.apply(tick(510));
    expect(s.ended(KEY)[0]).toMatchObject({ lateReleaseMs: 200 });
    expect([...(s.ended(KEY)[0]?.notes ?? [])]).toEqual(
      expect.arrayContaining(['late-release', 'overrun']),
    );
    expect(s.kinds().at(-1)).toBe('hold-revised');
  });

  it('is not claimed when the one who missed takes the lock', () => {
    const s = held({}, 100);
    s.events(105, KEY, 'expired');
    s.events(300, KEY, 'keymiss', 'set', 'expire');
    s.apply(tick(600));
    expect(s.ended(KEY)[0]?.lateReleaseMs).toBeNull();
  });

  it('is not claimed for our own look at the absent key', () => {
    const s = held({}, 100);
    s.events(105, KEY, 'expired', 'keymiss');
    s.read(106, KEY, null, { cause: 'deadline' });
    s.apply(tick(600));
    expect(s.ended(KEY)[0]?.lateReleaseMs).toBeNull();
  });

  it('is not claimed after a release, nor long after', () => {
    const s = held({}, 100);
    s.events(50, KEY, 'del', 'keymiss');
    s.apply(tick(600));
    expect(s.ended(KEY)[0]?.lateReleaseMs).toBeNull();
    const late = held({}, 100);
    late.events(105, KEY, 'expired');
    late.events(61_000, KEY, 'keymiss');
    late.apply(tick(62_000));
    expect(late.ended(KEY)[0]?.lateReleaseMs).toBeNull();
  });
});

describe('restored holds', () => {
  const stored = {
    db: 0,
    key: KEY,
    formatId: 'pattern',
    generation: 7,
    acquisitions: 9,
    token: 'A',
    since: START - 1000,
    sinceEvidence: 'observed',
    renewals: 3,
    maxDepth: 1,
  } as const;

  it('go on with the same token', () => {
    const s = createScenario();
    s.table.restore([stored]);
    expect(s.table.counts.held).toBe(1);
    s.read(10, KEY, text('A'), { pttl: 1000, cause: 'sweep' });
    expect(s.hold(KEY)).toMatchObject({ generation: 7, since: START - 1000, renewals: 3 });
    expect(s.hold(KEY).notes).toContain('touches-gap');
    expect(s.kinds()).not.toContain('hold-started');
  });

  it('ended while nobody looked when another holds now', () => {
    const s = createScenario();
    s.table.restore([stored]);
    s.gap(-500, 5, { reason: 'console-stopped' });
    s.read(10, KEY, text('B'), { pttl: 1000, cause: 'sweep' });
    expect(s.ended(KEY)[0]).toMatchObject({
      generation: 7,
      endReason: 'unknown',
      end: START - 500,
    });
    expect(s.ended(KEY)[0]?.notes).toContain('ended-in-gap');
    expect(s.hold(KEY)).toMatchObject({ generation: 8, token: 'B' });
    expect(s.lock(KEY).acquisitions).toBe(10);
  });

  it('ended while nobody looked when the key is gone', () => {
    const s = createScenario();
    s.table.restore([stored]);
    s.read(10, KEY, null, { cause: 'reconcile' });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'unknown' });
  });

  it('of an unknown format are left out', () => {
    const s = createScenario();
    s.table.restore([{ ...stored, formatId: 'gone' }]);
    expect(s.table.size).toBe(0);
  });
});
