import { describe, expect, it } from 'vitest';
import type { AlertCode } from '@/lib/protocol/alert';
import { createAnalysis } from '@/server/analysers';
import type { Change } from '@/server/state/change';
import type { Instance } from '@/server/state/instances';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { aHold, aLock, aTable, aTarget, inWords, START } from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const anInstance = (overrides: Partial<Instance> = {}): Instance => ({
  ...{ host: 'web-1', ip: '10.0.0.7', pid: 1, app: 'shop', isPresent: true, db: 0 },
  ...overrides,
});

function judging(...codes: AlertCode[]) {
  const analysis = createAnalysis({ longHoldMs: 3_600_000, noExpiryMs: 3_600_000 });
  return {
    observe: analysis.observe,
    at: (now: number, seen: { locks?: LockRecord[]; instances?: Instance[] }) => {
      const instances = (seen.instances ?? []).map((each, i): [string, Instance] => [`${i}`, each]);
      const table = { ...aTable(seen.locks ?? []), instances: () => instances };
      return inWords(analysis.findings(table, aTarget(), now)).filter(({ code }) =>
        codes.includes(code),
      );
    },
  };
}

describe('the nodes of a Redlock', () => {
  const redlock = (nodes: string[], silent: string[] = []) =>
    anInstance({ group: { nodes, silent } });
  const told = (...nodes: string[]) =>
    judging('not-independent').at(START, { instances: [redlock(nodes)] });

  it('that are one server, or on one machine, are not independent', () => {
    expect(told('a:6379/0', 'a:6379/1', 'b:6379/0')).toMatchObject([
      {
        severity: 'critical',
        summary:
          '2 of the 3 Redlock addresses of shop are one server (a:6379): it has several votes, and its failure takes them all',
      },
    ]);
    expect(told('a:6379/0', 'a:6380/0', 'b:6379/0')).toMatchObject([
      {
        severity: 'warning',
        evidence: 'inferred',
        summary:
          '2 of the 3 Redlock servers of shop are on one machine (a): when it fails no majority is left',
      },
    ]);
    expect(told('a:1/0', 'a:2/0', 'b:1/0', 'c:1/0', 'd:1/0')[0]?.summary).toContain(
      'they fail together',
    );
  });

  it('on machines of their own are, and those of a client that has gone are not judged', () => {
    expect(told('a:6379/0', 'b:6379/0', 'c:6379/0')).toEqual([]);
    const gone = { ...redlock(['a:1/0', 'a:2/0', 'b:1/0']), isPresent: false };
    expect(judging('not-independent').at(START, { instances: [gone] })).toEqual([]);
  });

  it('are one finding for all clients that use them, whatever their order', () => {
    const instances = [redlock(['a:1/0', 'a:2/0', 'b:1/0']), redlock(['b:1/0', 'a:2/0', 'a:1/0'])];
    expect(judging('not-independent').at(START, { instances })).toMatchObject([{ count: 2 }]);
  });

  it('that do not vote leave it partial, once two signs of life have said so', () => {
    const judge = judging('redlock-partial');
    const instances = [redlock(['a:1/0', 'b:1/0', 'c:1/0'], ['c:1/0'])];
    expect(judge.at(START, { instances })).toEqual([]);
    expect(judge.at(START + 13 * SECOND, { instances })).toMatchObject([
      {
        severity: 'warning',
        since: START,
        summary:
          '1 of the 3 nodes of shop does not vote (c:1/0); a majority is left, and is lost when more than 0 of the others fail',
      },
    ]);
    const whole = [redlock(['a:1/0', 'b:1/0', 'c:1/0'])];
    expect(judge.at(START + 14 * SECOND, { instances: whole })).toEqual([]);
    expect(judge.at(START + 15 * SECOND, { instances })).toEqual([]);
  });

  it('are critical without a majority', () => {
    const judge = judging('redlock-partial');
    const instances = [redlock(['a:1/0', 'b:1/0', 'c:1/0'], ['b:1/0', 'c:1/0'])];
    judge.at(START, { instances });
    expect(judge.at(START + 13 * SECOND, { instances })).toMatchObject([
      { severity: 'critical', summary: expect.stringContaining('no lock can be taken') },
    ]);
  });
});

describe('locks that one token takes in several dbs', () => {
  const token = (n: number) => `${n}f0e5b9d3a47c2b6e8f1a0d4c7b9e3`;
  const inDb = (db: number, n: number, overrides: Partial<HoldRecord> = {}): LockRecord => {
    const hold = aHold(token(n), { generation: n, since: START + n * MINUTE, ...overrides });
    return aLock('lock:pay', { db, formatId: 'redlock', hold });
  };
  const started = (lock: LockRecord): Change[] =>
    lock.hold
      ? [
          {
            kind: 'hold-started',
            at: lock.hold.since,
            lock,
            hold: lock.hold,
            previousEnd: null,
          },
        ]
      : [];
  const take = (n: number, dbs = [0, 1, 2]): LockRecord[] =>
    dbs.map((db) => inDb(db, n, { since: START + n * MINUTE + db * 20 }));

  it('are nodes of one server, which is told with the second such acquire', () => {
    const judge = judging('not-independent');
    judge.observe(take(1).flatMap(started));
    expect(judge.at(START + 1 * MINUTE, { locks: take(1) })).toEqual([]);
    judge.observe(take(2).flatMap(started));
    const found = judge.at(START + 2 * MINUTE, { locks: take(2) });
    expect(found).toMatchObject([
      {
        severity: 'critical',
        evidence: 'inferred',
        count: 1,
        summary:
          'lock:pay is taken with one token in db 0, 1, 2 of this one server, as if they were servers of a Redlock',
      },
    ]);
    expect(found[0]?.subject.locks.map(({ db }) => db)).toEqual([0, 1, 2]);
  });

  it('are partial where one of them has lost it for more than two seconds', () => {
    const judge = judging('redlock-partial');
    judge.observe([...take(1), ...take(2)].flatMap(started));
    const at = START + 2 * MINUTE;
    expect(judge.at(at, { locks: take(2) })).toEqual([]);
    const lost = [...take(2, [0, 1]), aLock('lock:pay', { db: 2 })];
    expect(judge.at(at + 1 * SECOND, { locks: lost })).toEqual([]);
    expect(judge.at(at + 4 * SECOND, { locks: lost })).toMatchObject([
      {
        severity: 'warning',
        summary: `held by ${token(2)}, but not in db 2, where it has nodes as well`,
      },
    ]);
    expect(judge.at(at + 5 * SECOND, { locks: take(2) })).toEqual([]);
  });

  it('are none where the dbs have holders of their own, as separate environments do', () => {
    const judge = judging('not-independent', 'redlock-partial');
    for (const n of [1, 2, 3, 4]) {
      const each = [inDb(0, n), inDb(1, n, { token: token(n + 50) })];
      judge.observe(each.flatMap(started));
      expect(judge.at(START + n * MINUTE + 5 * SECOND, { locks: each })).toEqual([]);
    }
  });

  it('are none where a key was moved or copied, or its token is a word that is always the same', () => {
    const judge = judging('not-independent');
    for (const n of [1, 2, 3]) {
      const moved = inDb(1, n, { notes: new Set(['moved-in']) });
      const late = inDb(2, n, { since: START + n * MINUTE + 5 * SECOND });
      judge.observe([inDb(0, n), moved, late].flatMap(started));
      const same = [0, 1].map((db) => inDb(db, n, { token: 'a-worker-by-name' }));
      judge.observe(same.flatMap(started).map((each) => ({ ...each })));
    }
    expect(judge.at(START + 4 * MINUTE, {})).toEqual([]);
  });
});

describe('instances of one service in different dbs', () => {
  const both = [anInstance(), anInstance(), anInstance({ db: 5 })];

  it('do not exclude each other, which is told once none of them can be a leftover', () => {
    const judge = judging('db-mismatch');
    expect(judge.at(START, { instances: both })).toEqual([]);
    expect(judge.at(START + 36 * SECOND, { instances: both })).toMatchObject([
      {
        severity: 'warning',
        subject: { kind: 'target', label: 'shop' },
        count: 3,
        summary:
          'instances of shop use different dbs, db 0 (2), db 5 (1): they do not exclude each other',
      },
    ]);
    expect(judge.at(START + 37 * SECOND, { instances: [anInstance()] })).toEqual([]);
  });

  it('are none where one has gone, where they are two services, or nodes of a Redlock', () => {
    const others = [
      [anInstance(), anInstance({ db: 5, isPresent: false })],
      [anInstance(), anInstance({ db: 5, app: 'stock' })],
      [anInstance(), anInstance({ db: 5, group: { nodes: ['a:1/0', 'b:1/5'], silent: [] } })],
    ];
    for (const instances of others) {
      const judge = judging('db-mismatch');
      judge.at(START, { instances });
      expect(judge.at(START + 40 * SECOND, { instances })).toEqual([]);
    }
  });
});
