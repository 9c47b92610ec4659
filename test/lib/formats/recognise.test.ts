import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { RawValue, RecogniseContext } from '@/lib/formats/format';
import { readUuid1 } from '@/lib/formats/redis-py';

const UUID = 'b983c153-7421-469a-addb-44fb92259a1b';
const UUID2 = '0b7e2c9e-4f5a-0a0e-9a0f-1b2c3d4e5f60';
const OWN = '6fa459ea-ee8a-8ca4-894e-db77e160355e';
const UUID1_HEX = '12fd2086ec4611f188df02fc00000001';
const UUID1_AT = readUuid1(UUID1_HEX)?.at ?? 0;
const NOW = UUID1_AT + 1000;

const text = (bytes: string, truncated = false): RawValue => ({
  type: 'string',
  bytes,
  size: bytes.length,
  truncated,
});
const hash = (...fields: [string, string][]): RawValue => ({
  type: 'hash',
  fields,
  size: fields.length,
  truncated: false,
});
const zset = (...members: [string, number][]): RawValue => ({
  type: 'zset',
  members,
  size: members.length,
  truncated: false,
});
const list: RawValue = { type: 'list', items: ['a'], size: 1, truncated: false };

const found = (key: string, value: RawValue | null, context: Partial<RecogniseContext> = {}) =>
  formatTable.recognise(key, value, { declared: false, now: NOW, pttl: 1000, ...context });
const decoded = (key: string, value: RawValue) =>
  found(key, value, { declared: true })?.format.decode(key, value, { now: NOW, leaseMs: null });

describe('recognition by value', () => {
  it.each<[string, string, RawValue, string, string]>([
    ['a Redisson hash of any name', 'myLock', hash([`${UUID}:1`, '2']), 'redisson', 'certain'],
    ['any uuid version', 'myLock', hash([`${UUID2}:71`, '1']), 'redisson', 'certain'],
    ['a transaction suffix', 'myLock', hash([`${UUID}:1:tx`, '1']), 'redisson', 'certain'],
    ['node-redisson', 'myLock', hash([`${UUID}:${UUID2}`, '1']), 'node-redisson', 'certain'],
    ['ShedLock', 'x', text(`ADDED:2026-01-01T00:00:00.123Z@h:1:${UUID}`), 'shedlock', 'certain'],
    ['bullmq', 'bull:mail:17:lock', text(`${UUID}:3`), 'bullmq', 'certain'],
    ['bull 3', 'bull:mail:17:lock', text(UUID), 'bull', 'certain'],
    ['bullmq of another prefix', 'q:mail:17:lock', text(`${UUID}:3`), 'bullmq', 'certain'],
    ['32 hex', 'res', text('0123456789abcdef0123456789abcdef'), 'redlock', 'likely'],
    ['uuid1', 'res', text(UUID1_HEX), 'redis-py', 'likely'],
    ['a mutex', 'mutex:x', text(UUID), 'redis-semaphore-mutex', 'certain'],
    ['a semaphore', 'semaphore:x', zset([UUID, NOW]), 'redis-semaphore', 'certain'],
    ['our own', 'qoder:lock:a:1', hash(['i-1:task', '1'], ['since', 'x']), 'qoder', 'certain'],
    ['our own string', 'qoder:lock:a:1', text('i-1:task'), 'qoder', 'certain'],
    [
      'our own of another name',
      'inv:9',
      hash([`${OWN}:7`, '1'], ['since', '1']),
      'qoder',
      'certain',
    ],
    ['our semaphore', 'qoder:lock:s', zset([`${OWN}:7`, NOW]), 'qoder-semaphore', 'certain'],
    ['our semaphore of another name', 's', zset([`${OWN}:7`, NOW]), 'qoder-semaphore', 'certain'],
    [
      'our read-write lock',
      'qoder:lock:rw',
      hash(['mode', 'read'], [`${OWN}:7`, '1']),
      'qoder-read-write',
      'certain',
    ],
    [
      'our read-write lock of another name',
      'rw',
      hash(['mode', 'write'], [`${OWN}:7:write`, '1']),
      'qoder-read-write',
      'certain',
    ],
    ['our own, with Java', 'qoder:lock:a:1', hash([`${UUID}:1`, '1']), 'qoder', 'certain'],
    ['a default name', 'lock:a', text('tok1'), 'pattern', 'likely'],
    ['a uuid under redlock:', 'redlock:a', text(UUID), 'redlock-net', 'likely'],
  ])('knows %s', (_name, key, value, id, certainty) => {
    expect(found(key, value)).toMatchObject({ format: { id }, recognition: { certainty } });
  });

  it.each<[string, string, RawValue]>([
    ['a plain string', 'cache:1', text('hello')],
    ['a plain hash', 'user:1', hash(['name', 'x'])],
    ['a hash with a foreign field', 'm', hash([`${UUID}:1`, '1'], ['x', '1'])],
    ['a count that is no number', 'm', hash([`${UUID}:1`, 'one'])],
    ['a unlock latch', 'redisson_unlock_latch:{m}:1', text('0123456789abcdef0123456789abcdef')],
    ['a list', 'list', list],
    ['a cut value', 'res', text('0123456789abcdef0123456789abcdef', true)],
  ])('leaves %s alone', (_name, key, value) => {
    expect(found(key, value)).toBeNull();
  });

  it('wants a time to live or a declaration for 32 hex digits', () => {
    const md5 = text('0123456789abcdef0123456789abcdef');
    expect(found('etag:1', md5, { pttl: null })).toBeNull();
    expect(found('etag:1', md5, { pttl: null, declared: true })?.format.id).toBe('redlock');
    expect(found('lock:1', md5, { pttl: null })?.format.id).toBe('redlock');
  });

  it('wants a plausible time in a uuid1', () => {
    const dayMs = 24 * 60 * 60 * 1000;
    const monthsLater = { now: UUID1_AT + 300 * dayMs, pttl: null };
    expect(found('lock:1', text(UUID1_HEX), monthsLater)?.format.id).toBe('redis-py');
    const yearsLater = { now: UUID1_AT + 800 * dayMs };
    expect(found('lock:1', text(UUID1_HEX), yearsLater)?.format.id).toBe('redlock');
    expect(found('lock:1', text(UUID1_HEX), { pttl: null })?.format.id).toBe('redis-py');
  });

  it('names the other formats that fit too', () => {
    const others = found('res', text(UUID1_HEX))?.others.map(({ format }) => format.id);
    expect(others).toContain('redlock');
  });

  it('names no other where it is certain, though a more general kind of the library fits as well', () => {
    const java = hash([`${UUID}:1`, '1']);
    expect(found('m', java, { queued: true })).toMatchObject({
      format: { id: 'redisson-fair' },
      others: [],
    });
    const ours = hash(['mode', 'read'], [`${OWN}:7`, '1']);
    expect(found('qoder:lock:rw', ours)).toMatchObject({
      format: { id: 'qoder-read-write' },
      others: [],
    });
  });

  it('takes a declared key as it is', () => {
    expect(found('my:key', text('x'), { declared: true })).toMatchObject({
      format: { id: 'pattern' },
      recognition: { certainty: 'certain' },
    });
    expect(found('my:key', hash([`${UUID}:1`, '1']), { declared: true })?.format.id).toBe(
      'redisson',
    );
    expect(decoded('my:key', list)?.broken).toBe('key is used for something else');
  });

  it('knows a fair lock by its queue, and a queue without its lock', () => {
    const value = hash([`${UUID}:1`, '1']);
    expect(found('inv', value, { queued: true })?.format.id).toBe('redisson-fair');
    expect(found('inv', null, { queued: true })?.format.id).toBe('redisson-fair');
    expect(found('inv', null)).toBeNull();
    expect(found('qoder:lock:a', null, { queued: true })?.format.id).toBe('qoder');
  });
});

describe('holders', () => {
  it('of Redisson name instance, thread and depth', () => {
    expect(decoded('inv', hash([`${UUID}:7`, '3']))?.holders).toMatchObject([
      { token: `${UUID}:7`, depth: 3, owner: { instance: UUID, thread: '7', host: null } },
    ]);
  });

  it('of ShedLock name the host and when it was taken', () => {
    const value = text('ADDED:2026-01-01T00:00:00Z@host-1:0b7e');
    expect(decoded('job-lock:default:report', value)?.holders).toMatchObject([
      {
        owner: { host: 'host-1' },
        tokenTime: { at: Date.UTC(2026, 0, 1), means: 'taken' },
      },
    ]);
  });

  it('of redis-py name the node and when it was asked for', () => {
    expect(decoded('lock:rp', text(UUID1_HEX))?.holders).toMatchObject([
      {
        owner: { id: UUID1_HEX, instance: '02:fc:00:00:00:01' },
        tokenTime: { at: UUID1_AT, means: 'asked' },
      },
    ]);
    expect(new Date(UUID1_AT).getUTCFullYear()).toBe(2026);
  });

  it('of our own client name instance and task', () => {
    const value = hash(['i-1:task:4', '2'], ['since', `${NOW}`], ['business', 'SO-17']);
    expect(decoded('qoder:lock:order_sync:17', value)?.holders).toMatchObject([
      {
        owner: { instance: 'i-1', thread: 'task:4' },
        depth: 2,
        since: NOW,
        businessId: 'SO-17',
      },
    ]);
  });

  it('of our own client need no description, and none that is no time', () => {
    const value = hash([`${OWN}:7`, '1'], ['since', 'long ago']);
    const [holder] = decoded('qoder:lock:a', value)?.holders ?? [];
    expect(holder).toMatchObject({ owner: { instance: OWN, thread: '7' } });
    expect(holder?.since).toBeUndefined();
    expect(decoded('qoder:lock:a', hash(['since', `${NOW}`]))?.broken).not.toBeNull();
  });

  it('of our semaphore have deadlines of their own, by our clock', () => {
    const format = formatTable.byId('qoder-semaphore');
    const value = zset([`${OWN}:1`, NOW - 1], [`${OWN}:2`, NOW + 900]);
    const { holders } = format.decode('s', value, { now: NOW, leaseMs: null, clockMs: 100 });
    expect(holders).toMatchObject([
      { token: `${OWN}:1`, deadline: NOW + 99, stale: false },
      { token: `${OWN}:2`, deadline: NOW + 1000, stale: false },
    ]);
    expect(format.decode('s', value, { now: NOW, leaseMs: null }).holders[0]?.stale).toBe(true);
  });

  it('of our read-write lock are all readers, or the writer', () => {
    const readers = hash(['mode', 'read'], [`${OWN}:1`, '1'], [`${OWN}:2`, '2']);
    expect(decoded('rw', readers)?.holders).toMatchObject([
      { token: `${OWN}:1`, depth: 1 },
      { token: `${OWN}:2`, depth: 2 },
    ]);
    const writer = hash(['mode', 'write'], [`${OWN}:1`, '1'], [`${OWN}:1:write`, '1']);
    expect(decoded('rw', writer)?.holders).toMatchObject([
      { token: `${OWN}:1:write`, owner: { instance: OWN, thread: '1:write' } },
    ]);
  });

  it('of bullmq name the worker', () => {
    expect(decoded('bull:q:1:lock', text(`${UUID}:3`))?.holders).toMatchObject([
      { owner: { instance: UUID } },
    ]);
  });

  it('of a semaphore are stale past their window', () => {
    const value = zset(['a', NOW], ['b', NOW - 600_000]);
    const format = formatTable.byId('redis-semaphore');
    const { holders } = format.decode('semaphore:x', value, { now: NOW + 1, leaseMs: 2000 });
    expect(holders).toMatchObject([
      { token: 'a', stale: false, deadline: NOW + 2000 },
      { token: 'b', stale: true },
    ]);
  });

  it('are shown in printable form where they are text, and else in hex', () => {
    expect(decoded('lock:x', text('a\x00"'))?.holders).toMatchObject([
      { token: 'a\x00"', owner: { id: 'a\\x00"' } },
    ]);
    expect(decoded('lock:x', text('\x00\xff"'))?.holders).toMatchObject([
      { token: '\x00\xff"', owner: { id: '0x00ff22' } },
    ]);
  });
});

describe('names', () => {
  it.each([
    ['lock:a', 'pattern'],
    ['redlock:a', 'pattern'],
    ['mutex:a', 'redis-semaphore-mutex'],
    ['semaphore:a', 'redis-semaphore'],
    ['job-lock:default:a', 'shedlock'],
    ['qoder:lock:a', 'qoder'],
    ['bull:q:1:lock', 'bullmq'],
    ['bull:q:wait', undefined],
    ['other', undefined],
  ])('%s settle the format %s', (key, id) => {
    expect(formatTable.byName(key, false)?.id).toBe(id);
  });

  it('declared by an operator are locks', () => {
    expect(formatTable.byName('other', true)?.id).toBe('pattern');
    expect(formatTable.byName('redisson_lock_queue:{other}', true)).toBeNull();
  });

  it.each([
    ['redisson_lock_queue:{inv:9}', 'inv:9'],
    ['redisson_lock_timeout:{inv:9}', 'inv:9'],
    ['redisson_lock_token:{inv:9}', null],
    ['redisson_lock_queue:a{b}', 'a{b}'],
    ['redisson_lock_queue:{a}:b', '{a}:b'],
    ['redisson_lock_queue:plain', null],
    ['redisson_unlock_latch:{inv}:01', null],
    ['{inv}:holder:rwlock_timeout:3', null],
    ['bull:mail:meta', null],
  ])('of the side key %s lead to %s', (key, parent) => {
    expect(formatTable.sideKey(key)).toEqual({ parent });
  });

  it('of locks are no side keys', () => {
    for (const key of ['inv', 'lock:a', 'bull:q:1:lock', 'redisson_x']) {
      expect(formatTable.sideKey(key)).toBeNull();
    }
  });

  it('are watched by these prefixes among others', () => {
    const among = expect.arrayContaining([
      'bull:',
      'job-lock:',
      'lock:',
      'mutex:',
      'qoder:lock:',
      'redisson_lock_queue:',
      'redisson_lock_timeout:',
      'redlock:',
      'semaphore:',
    ]);
    expect(formatTable.watchedPrefixes).toEqual(among);
    expect(formatTable.watchedPrefixes).not.toContain('');
  });

  it('of channels follow both spellings where they differ', () => {
    const channels = (key: string) => formatTable.byId('redisson').companions(key).channels;
    expect(channels('inv')).toEqual(['redisson_lock__channel:{inv}']);
    expect(channels('{a}b')).toEqual(['redisson_lock__channel:{a}b']);
    expect(channels('a{b}')).toEqual([
      'redisson_lock__channel:a{b}',
      'redisson_lock__channel:{a{b}}',
    ]);
  });

  it('of no format are an error', () => {
    expect(() => formatTable.byId('nope')).toThrow(/no lock format/);
  });
});
