import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { BesideKeys, RawValue, RecogniseContext } from '@/lib/formats/format';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import { beside, hash, text, zset } from '@/test/support/raw-values';

const NOW = 1_800_000_000_000;
const UUID = 'b983c153-7421-469a-addb-44fb92259a1b';
const A = `${UUID}:1`;
const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:-22';
const OWN = '6fa459ea-ee8a-8ca4-894e-db77e160355e:7';
const PERMIT = '\x00\xff\x10abcdefghijklm';
const PERMIT_HEX = '00ff106162636465666768696a6b6c6d';
const OTHER_PERMIT = 'b'.repeat(16);
const NEVER = 922_337_203_685_477;
const HASHED = 'Ab+/5678901234567890Zz';
const HASHED_TOO = 'zz+/5678901234567890ZZ==';

const context: RecogniseContext = { declared: false, now: NOW, pttl: null };
const found = (key: string, value: RawValue | null, more: Partial<RecogniseContext> = {}) =>
  formatTable.recognise(key, value, { ...context, ...more });
const decode = (id: string, key: string, value: RawValue, near?: BesideKeys) =>
  formatTable
    .byId(id)
    .decode(key, value, { now: NOW, leaseMs: null, ...(near && { beside: near }) });

describe('recognition', () => {
  it.each<[string, string, RawValue, Partial<RecogniseContext>, string, string]>([
    [
      'readers',
      'rw',
      hash(['mode', 'read'], [A, '1'], [B, '2']),
      {},
      'redisson-read-write',
      'certain',
    ],
    [
      'a writer',
      'lock:rw',
      hash(['mode', 'write'], [`${A}:write`, '1']),
      {},
      'redisson-read-write',
      'certain',
    ],
    [
      'our own readers',
      'rw',
      hash(['mode', 'read'], [OWN, '1'], [A, '1']),
      {},
      'qoder-read-write',
      'certain',
    ],
    [
      'a semaphore waited for',
      'sem',
      text('0'),
      { listened: ['redisson_sc:{sem}'] },
      'redisson-semaphore',
      'certain',
    ],
    [
      'one with a brace in its name',
      'a{b}',
      text('3'),
      { listened: ['redisson_sc:a{b}'] },
      'redisson-semaphore',
      'certain',
    ],
    [
      'one with another spelling',
      'a{b}',
      text('3'),
      { listened: ['redisson_sc:{a{b}}'] },
      'redisson-semaphore',
      'certain',
    ],
    [
      'a semaphore of a map entry',
      '{m}:x:semaphore',
      text('-1'),
      {},
      'redisson-semaphore',
      'likely',
    ],
    [
      'one that was a semaphore before',
      'sem',
      text('2'),
      { knownAs: 'redisson-semaphore' },
      'redisson-semaphore',
      'likely',
    ],
    [
      'permits beside a counter',
      'p',
      text('1'),
      { beside: beside({ '{p}:timeout': zset([PERMIT, NOW]) }) },
      'redisson-permits',
      'certain',
    ],
    [
      'permits waited for',
      'p',
      text('0'),
      { listened: ['redisson_sc:{p}'], beside: beside({ '{p}:timeout': zset([PERMIT, NOW]) }) },
      'redisson-permits',
      'certain',
    ],
    [
      'permits of a map entry',
      '{m}:x:permitexpirablesemaphore',
      text('1'),
      {},
      'redisson-permits',
      'likely',
    ],
    [
      'a latch waited for',
      'l',
      text('2'),
      { listened: ['redisson_countdownlatch__channel__{l}'] },
      'redisson-latch',
      'certain',
    ],
    ['a latch of a map entry', '{m}:x:countdownlatch', text('2'), {}, 'redisson-latch', 'likely'],
    [
      'a multi-lock',
      'g',
      hash(
        [HASHED, A],
        [`${HASHED}:${A}:expire_time`, `${NOW}`],
        [`${HASHED}:${A}:lock_count`, '1'],
      ),
      {},
      'redisson-multi-lock',
      'certain',
    ],
    [
      'the fair lock of a map entry',
      '{m}:x:fairlock',
      hash([A, '1']),
      {},
      'redisson-fair',
      'certain',
    ],
    ['the lock of a map entry', '{m}:x:lock', hash([A, '1']), {}, 'redisson', 'certain'],
  ])('knows %s', (_name, key, value, more, id, certainty) => {
    expect(found(key, value, more)).toMatchObject({ format: { id }, recognition: { certainty } });
  });

  it.each<[string, string, RawValue | null, Partial<RecogniseContext>]>([
    ['a counter of any name', 'hits', text('17'), {}],
    [
      'a counter waited for as a latch by another name',
      'l',
      text('17'),
      { listened: ['redisson_countdownlatch__channel__{ll}'] },
    ],
    ['a number with a fraction', 'x:semaphore', text('1.5'), {}],
    ['no number', 'x:semaphore', text('many'), {}],
    [
      'a counter beside a zset of something else',
      'p',
      text('1'),
      { beside: beside({ '{p}:timeout': zset(['a', 1]) }) },
    ],
    ['a mode that is none', 'rw', hash(['mode', 'dark'], [A, '1']), {}],
    ['a mode without owners', 'rw', hash(['mode', 'read']), {}],
    ['a mode beside a foreign field', 'rw', hash(['mode', 'read'], [A, '1'], ['theme', '1']), {}],
    ['hashed fields with foreign ones', 'g', hash([HASHED, A], ['x', '1']), {}],
    ['hashed fields without a holder', 'g', hash([HASHED, 'x']), {}],
    ['a semaphore that is gone', 'x:semaphore', null, {}],
  ])('leaves %s alone', (_name, key, value, more) => {
    expect(found(key, value, more)).toBeNull();
  });

  it('keeps a declared number with the operator’s own pattern', () => {
    expect(found('lock:import', text('1'), { declared: true })?.format.id).toBe('pattern');
  });
});

describe('keys beside a lock', () => {
  it('of readers are the leases of their holds, the last of each first', () => {
    const value = hash(['mode', 'read'], [A, '2'], [B, '1']);
    expect(formatTable.byId('redisson-read-write').beside?.('rw', value)).toEqual([
      `{rw}:${A}:rwlock_timeout:2`,
      `{rw}:${B}:rwlock_timeout:1`,
      `{rw}:${A}:rwlock_timeout:1`,
    ]);
  });

  it('of readers are few, however many there are', () => {
    const owners = Array.from({ length: 60 }, (_, i): [string, string] => [
      `${UUID}:${i}`,
      '99999999',
    ]);
    const keys = formatTable.beside('a{b}', hash(['mode', 'read'], ...owners));
    expect(keys).toHaveLength(64);
    expect(keys[0]).toBe(`a{b}:${UUID}:0:rwlock_timeout:99999999`);
  });

  it('of a counter are its permits', () => {
    expect(formatTable.beside('p', text('3'))).toContain('{p}:timeout');
    expect(formatTable.beside('p{q}', text('3'))).toContain('p{q}:timeout');
    expect(formatTable.beside('p', text('three'))).not.toContain('{p}:timeout');
    expect(formatTable.beside('p', null)).not.toContain('{p}:timeout');
  });

  it.each([
    [`{rw}:${A}:rwlock_timeout:12`, 'rw'],
    [`a{b}:${B}:rwlock_timeout:1`, 'a{b}'],
    [`{rw}:${A}:tx-1:rwlock_timeout:1`, 'rw'],
    [`rw:${A}:rwlock_timeout:1`, null],
    ['{p}:timeout', 'p'],
    ['p{q}:timeout', 'p{q}'],
  ])('lead to it: %s', (key, parent) => {
    expect(formatTable.sideKey(key)).toEqual({ parent });
  });

  it('need a brace in their name', () => {
    expect(formatTable.sideKey('session:timeout')).toBeNull();
    expect(formatTable.sideKey(`${'x'.repeat(5000)}:rwlock_timeout:1`)).toEqual({ parent: null });
  });
});

describe('holders', () => {
  it('of a read-write lock are its readers, each with a deadline of its own', () => {
    const near = beside({
      [`{rw}:${A}:rwlock_timeout:2`]: { pttl: 900 },
      [`{rw}:${A}:rwlock_timeout:1`]: { pttl: 4000 },
      [`{rw}:${B}:rwlock_timeout:1`]: null,
    });
    const value = hash(['mode', 'read'], [A, '2'], [B, '1']);
    expect(decode('redisson-read-write', 'rw', value, near).holders).toMatchObject([
      {
        token: A,
        depth: 2,
        role: 'reader',
        deadline: NOW + 4000,
        stale: false,
        owner: { instance: UUID, thread: '1' },
      },
      { token: B, depth: 1, role: 'reader', deadline: null, stale: true },
    ]);
  });

  it('are not called stale as long as their leases were not read', () => {
    const value = hash(['mode', 'read'], [A, '2']);
    const half = beside({ [`{rw}:${A}:rwlock_timeout:2`]: null });
    for (const near of [undefined, half]) {
      const { holders } = decode('redisson-read-write', 'rw', value, near);
      expect(holders).toMatchObject([{ token: A, deadline: null, stale: false }]);
    }
  });

  it('of a writer that reads are the writer first, then its reading self', () => {
    const value = hash(['mode', 'write'], [A, '1'], [`${A}:write`, '2']);
    expect(decode('redisson-read-write', 'rw', value).holders).toMatchObject([
      { token: `${A}:write`, role: 'writer', depth: 2, owner: { thread: '1' } },
      { token: A, role: 'reader' },
    ]);
  });

  it.each([
    ['0', 1, 0],
    ['-2', 1, 0],
    ['3', 0, 3],
  ])('of a semaphore with %s free permits are %s, unnamed', (count, holders, free) => {
    const decoded = decode('redisson-semaphore', 's', text(count));
    expect(decoded).toMatchObject({ broken: null, permits: { total: null, free } });
    expect(decoded.holders.map(({ owner, token }) => [owner.id, token])).toEqual(
      Array.from({ length: holders }, () => [NO_OWNER_ID, '']),
    );
  });

  it('of permits are the permits in hex, stale past their deadline, for ever without one', () => {
    const near = beside({ '{p}:timeout': zset([PERMIT, NOW - 1], [OTHER_PERMIT, NEVER]) });
    expect(decode('redisson-permits', 'p', text('3'), near)).toMatchObject({
      permits: { total: 5, free: 3 },
      holders: [
        {
          token: PERMIT,
          owner: { id: PERMIT_HEX },
          role: 'permit',
          deadline: NOW - 1,
          stale: true,
        },
        { token: OTHER_PERMIT, owner: { id: '62'.repeat(16) }, deadline: null, stale: false },
      ],
    });
  });

  it('of a latch are nobody by name, until it is open', () => {
    expect(decode('redisson-latch', 'l', text('3'))).toMatchObject({
      holders: [{ depth: 3, owner: { id: NO_OWNER_ID } }],
      permits: { total: null, free: null },
    });
    expect(decode('redisson-latch', 'l', text('0')).holders).toEqual([]);
  });

  it('of a multi-lock hold until the last of their values is free', () => {
    const value = hash(
      [HASHED, A],
      [HASHED_TOO, A],
      [`${HASHED}:${A}:expire_time`, `${NOW - 1}`],
      [`${HASHED_TOO}:${A}:expire_time`, `${NOW + 500}`],
      [`${HASHED_TOO}:${A}:lock_count`, '2'],
      ['yy+/5678901234567890ZZ', B],
      [`yy+/5678901234567890ZZ:${B}:expire_time`, `${NOW - 5}`],
    );
    expect(decode('redisson-multi-lock', 'g', value).holders).toMatchObject([
      { token: A, depth: 2, deadline: NOW + 500, stale: false, owner: { instance: UUID } },
      { token: B, depth: 1, deadline: NOW - 5, stale: true },
    ]);
  });

  it.each([
    'redisson-read-write',
    'redisson-semaphore',
    'redisson-permits',
    'redisson-latch',
    'redisson-multi-lock',
  ])('of %s are none where the key is used for something else', (id) => {
    for (const value of [text('hello'), hash(['a', 'b']), zset(['a', 1])]) {
      expect(decode(id, 'k', value)).toMatchObject({ holders: [], broken: expect.any(String) });
    }
  });
});
