import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { RawValue, RecogniseContext } from '@/lib/formats/format';
import { readUuid1 } from '@/lib/formats/redis-py';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import { hash, list, text } from '@/test/support/raw-values';

const UUID_4 = 'b983c153-7421-469a-addb-44fb92259a1b';
const UUID_1 = '12fd2086ec4611f188df02fc00000001';
const UUID_1_AT = readUuid1(UUID_1)?.at ?? 0;
const NOW = UUID_1_AT + 1000;
const HEX_32 = '0123456789abcdef0123456789abcdef';
const BASE64_16 = 'q83vASNFZ4mrze8BI0VniQ==';
const BASE64URL_22 = 'q83vASNFZ4mrze8BI0VniQ';
const ALPHANUMERIC = 'aB3dE5fG7hI9jK1l';
const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i));

function packed(...entries: [number, string][]): string {
  const parts = entries.flatMap(([second, token]) => {
    const time = Buffer.alloc(9);
    time[0] = 0xcb;
    time.writeDoubleBE(second, 1);
    return [Buffer.of(0x92), time, Buffer.of(0xa0 | token.length), Buffer.from(token, 'latin1')];
  });
  return Buffer.concat([Buffer.of(0x90 | entries.length), ...parts]).toString('latin1');
}

const found = (key: string, value: RawValue | null, context: Partial<RecogniseContext> = {}) =>
  formatTable.recognise(key, value, { declared: false, now: NOW, pttl: 1000, ...context });
const candidates = (...args: Parameters<typeof found>): string[] => {
  const best = found(...args);
  return best ? [best.format.id, ...best.others.map(({ format }) => format.id)] : [];
};
const decoded = (id: string, key: string, value: RawValue) =>
  formatTable.byId(id).decode(key, value, { now: NOW, leaseMs: null });

describe('a name that only one library uses', () => {
  it.each<[string, string, string]>([
    ['asynq', 'asynq:{low}:unique:mail:0123456789abcdef0123456789abcdef', 'c0ffee'],
    ['asynq', 'asynq:{low}:unique:mail:', 'c0ffee'],
    ['celery-once', 'qo_app.tasks.mail_to-a@b', UUID_1],
    ['celery-singleton', `SINGLETONLOCK_${HEX_32}`, UUID_4],
    ['redbeat', 'redbeat::lock', UUID_1],
    ['redbeat', 'redbeat:prod::lock', UUID_1],
    ['rq-scheduler', 'rq:scheduler-lock:default', HEX_32],
    ['rq-scheduler', 'rq:scheduler-lock:default', '4711'],
    ['arq', 'arq:in-progress:c0ffee', '1'],
    [
      'huey',
      'huey.r.app.app.lock.report',
      '\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00\x8c\x011\x94.',
    ],
    ['resque-lock', 'resque:lock:Jobs::Import-[1, "a"]', '1700003600'],
    ['resque-lock', 'resque:lock:Jobs::Import-[]', 'true'],
    ['sidekiq-unique-jobs', `uniquejobs:${HEX_32}`, 'c0ffee'],
    ['sidekiq-unique-jobs', `uniquejobs:${HEX_32}:RUN`, 'c0ffee'],
  ])('settles %s: %s', (id, key, value) => {
    expect(found(key, text(value))).toMatchObject({
      format: { id },
      recognition: { certainty: 'certain' },
      others: [],
    });
    expect(found(key, text(value), { pttl: null })?.format.id).toBe(id);
  });

  it.each([
    ['asynq', 'asynq:{low}:unique:mail:'],
    ['celery-singleton', 'SINGLETONLOCK_x'],
    ['redbeat', 'redbeat::lock'],
    ['rq-scheduler', 'rq:scheduler-lock:default'],
    ['arq', 'arq:in-progress:1'],
    ['huey', 'huey.r.a.b.a.b.lock.c'],
    ['resque-lock', 'resque:lock:X-[1]'],
    ['sidekiq-unique-jobs', `uniquejobs:${HEX_32}`],
  ])('is known as %s before it is read', (id, key) => {
    expect(formatTable.byName(key, false)?.id).toBe(id);
  });

  it.each<[string, RawValue]>([
    ['asynq:{low}:t:c0ffee', text('c0ffee')],
    ['asynq:{low}:pending', list('c0ffee')],
    ['asynq:{low}:unique:mail:', hash(['a', 'b'])],
    ['asynq:low:unique:mail:', text('c0ffee')],
    ['qo_stats', text('17')],
    ['qo_stats', text(UUID_4)],
    ['SINGLETONLOCK_x', list('a')],
    ['redbeat::last-run', text(UUID_1)],
    ['redbeat::statics', hash(['a', 'b'])],
    ['redbeat:nightly:lock', text('not a uuid')],
    ['rq:scheduler:c0ffee', text('x')],
    ['arq:result:1', text('1')],
    ['huey.r.app.c0ffee', text('1')],
    ['huey.r.app.other.lock.report', text('1')],
    ['resque:lock:X', text('1')],
    ['uniquejobs:digests', text('x')],
    ['uniquejobs:not-hex', text('x')],
  ])('is not that of %s (%#)', (key, value) => {
    expect(candidates(key, value)).toEqual([]);
  });

  it('is matched in time that does not grow out of hand', () => {
    const key = `${'lock:'.repeat(100_000)}]`;
    expect(candidates(`huey.r.${'a.'.repeat(100_000)}`, text('1'))).toEqual([]);
    expect(candidates(key, text('1700003600'))).toEqual(['pattern']);
    expect(candidates(`app:lock:Job-[${key}`, text('1700003600'))).toEqual(['resque-lock']);
  });
});

describe('a value at a name of the application’s choice', () => {
  it.each<[string, string]>([
    ['redsync', BASE64_16],
    ['bsm-redislock', BASE64URL_22],
    ['bsm-redislock', `${BASE64URL_22}host-1`],
    ['go-zero', ALPHANUMERIC],
    ['aioredlock', UUID_4],
    ['redlock-rb', UUID_4],
    ['suo', packed([NOW / 1000, 'mine'])],
    ['suo', packed()],
  ])('of %s is a lock’s only where something says so (%#)', (id, value) => {
    expect(candidates('session:17', text(value))).toEqual([]);
    for (const key of ['order-lock:17', 'billingLock']) {
      expect(candidates(key, text(value))).toContain(id);
      expect(found(key, text(value))?.recognition.certainty).toBe('likely');
    }
    expect(candidates('session:17', text(value), { declared: true })).toContain(id);
  });

  it('may be that of several libraries, and all are named', () => {
    expect(candidates('lock:a', text(UUID_4))).toEqual(
      expect.arrayContaining(['aioredlock', 'redlock-rb', 'ioredis-lock']),
    );
    expect(candidates('lock:a', text(ALPHANUMERIC))).toEqual(
      expect.arrayContaining(['go-zero', 'laravel']),
    );
    expect(candidates('redlock:a', text(UUID_4))).toContain('pottery');
  });

  it('of suo with tokens of its own making is known anywhere', () => {
    const value = text(packed([NOW / 1000, BASE64_16], [NOW / 1000, BASE64_16]));
    expect(found('gate', value)).toMatchObject({
      format: { id: 'suo' },
      recognition: { certainty: 'certain' },
    });
  });

  it.each<[string, string, string]>([
    ['redsync', 'of 15 bytes', 'q83vASNFZ4mrze8BI0Vn'],
    ['redsync', 'that no 16 bytes have', 'q83vASNFZ4mrze8BI0VniR=='],
    ['redsync', 'in base64url', 'q8-vASNFZ4mrze8BI0VniQ=='],
    ['bsm-redislock', 'that is a uuid', UUID_4.toUpperCase()],
    ['bsm-redislock', 'that is a host', 'ip-10-0-0-1.eu-west-1.g'],
    ['bsm-redislock', 'of redsync', BASE64_16],
    ['go-zero', 'that is a number', '1700000000000000'],
    ['go-zero', 'that is a word', 'productionworker'],
    ['go-zero', 'with a stroke', 'aB3dE5fG7hI9jK1-'],
    ['aioredlock', 'of another uuid', '12fd2086-ec46-11f1-88df-02fc00000001'],
    ['redlock-rb', 'with a line end', `${UUID_4}\n`],
    ['suo', 'of a time that is none', packed([17, 'mine'])],
    ['suo', 'cut', packed([NOW / 1000, 'mine']).slice(0, -1)],
    ['python-redis-lock', 'that is an object’s id', '507f1f77bcf86cd799439011'],
    ['python-redis-lock', 'with padding', BASE64_16],
    ['resque-lock', 'without its name', '1700003600'],
  ])('is not one of %s %s', (id, _what, value) => {
    expect(candidates('lock:a', text(value))).not.toContain(id);
  });

  it('that lasts for ever is none of go-zero', () => {
    expect(candidates('lock:a', text(ALPHANUMERIC), { pttl: null })).not.toContain('go-zero');
  });

  it('that was cut, and whatever bytes it has, is judged without error', () => {
    for (const value of ['', '\0', EVERY_BYTE, '\x90', '\xdd\xff\xff\xff\xff', '{"a":1}']) {
      for (const cut of [false, true]) {
        for (const key of [
          'lock:a',
          'redlock:a',
          'resque:lock:a',
          `uniquejobs:${HEX_32}`,
          'huey.r.a.a.lock.b',
        ]) {
          const best = found(key, text(value, cut), { declared: true });
          expect(
            best?.format.decode(key, text(value, cut), { now: NOW, leaseMs: null }),
          ).toBeDefined();
        }
      }
    }
  });

  it('stays what the catalogue calls an own pattern where it is none of them', () => {
    expect(candidates('lock:import', text('1'), { pttl: null })).toEqual(['pattern']);
  });
});

describe('holders', () => {
  it.each<[string, string, string, Record<string, unknown>]>([
    ['bsm-redislock', 'lock:a', `${BASE64URL_22}host-1/worker`, { app: 'host-1/worker' }],
    ['bsm-redislock', 'lock:a', `${BASE64URL_22}\x00\xff`, { app: '\\x00\\xff' }],
    ['bsm-redislock', 'lock:a', BASE64URL_22, { app: null }],
    ['asynq', 'asynq:{q}:unique:t:', 'c0ffee', { thread: 'c0ffee' }],
    ['celery-singleton', 'SINGLETONLOCK_x', UUID_4, { id: UUID_4, thread: UUID_4 }],
    ['celery-once', 'qo_a', UUID_1, { instance: '02:fc:00:00:00:01' }],
    ['redbeat', 'redbeat::lock', UUID_1, { instance: '02:fc:00:00:00:01' }],
    ['rq-scheduler', 'rq:scheduler-lock:q', '4711', { pid: 4711, instance: null }],
    ['rq-scheduler', 'rq:scheduler-lock:q', HEX_32, { pid: null, instance: HEX_32 }],
    ['arq', 'arq:in-progress:1', '1', { id: NO_OWNER_ID }],
    ['huey', 'huey.r.a.a.lock.b', '1', { id: NO_OWNER_ID }],
    ['resque-lock', 'resque:lock:X-[]', 'true', { id: NO_OWNER_ID }],
  ])('of %s name what the value says (%#)', (id, key, value, owner) => {
    expect(decoded(id, key, text(value)).holders).toMatchObject([{ token: value, owner }]);
  });

  it.each(['celery-once', 'redbeat'])('of %s tell when they asked', (id) => {
    const [holder] = decoded(id, 'a', text(UUID_1)).holders;
    expect(holder?.tokenTime).toEqual({ at: UUID_1_AT, means: 'asked' });
  });

  it('of resque-lock hold until the second that the value says', () => {
    const second = Math.floor(NOW / 1000);
    const until = (at: number) => decoded('resque-lock', 'resque:lock:X-[]', text(`${at}`)).holders;
    expect(until(second + 60)).toMatchObject([{ deadline: (second + 60) * 1000, stale: false }]);
    expect(until(second - 60)).toMatchObject([{ deadline: (second - 60) * 1000, stale: true }]);
    expect(decoded('resque-lock', 'resque:lock:X-[]', text('true')).holders).toMatchObject([
      { deadline: null, stale: false },
    ]);
  });

  it('of suo are all in the list, nobody in an empty one, and none in what is no list', () => {
    const value = text(packed([1_700_000_000.25, BASE64_16], [1_700_000_001, 'mine']));
    expect(decoded('suo', 'gate', value)).toMatchObject({
      broken: null,
      holders: [
        { token: BASE64_16, tokenTime: { at: 1_700_000_000_250, means: 'taken' } },
        { token: 'mine', tokenTime: { at: 1_700_000_001_000, means: 'taken' } },
      ],
    });
    for (const free of ['\x90', '']) {
      expect(decoded('suo', 'gate', text(free))).toMatchObject({ holders: [], broken: null });
    }
    expect(decoded('suo', 'gate', text('hello')).broken).not.toBeNull();
  });
});

describe('side keys', () => {
  it.each([
    ['asynq:{low}:pending'],
    ['asynq:servers'],
    ['redbeat::schedule'],
    ['redbeat:nightly'],
    ['huey.r.app.c0ffee'],
  ])('%s says nothing of a lock', (key) => {
    expect(formatTable.byName(key, false)).toBeNull();
    expect(candidates(key, text(UUID_4))).toEqual([]);
  });
});

describe('the old holder', () => {
  it.each([
    ['aioredlock', 'revives'],
    ['redlock-rb', 'revives'],
    ['suo', 'revives'],
    ['celery-once', 'steals'],
    ['celery-singleton', 'steals'],
    ['rq-scheduler', 'steals'],
    ['arq', 'steals'],
    ['huey', 'steals'],
    ['resque-lock', 'steals'],
    ['redsync', undefined],
    ['python-redis-lock', undefined],
    ['asynq', undefined],
  ])('of %s %s', (id, oldHolder) => {
    expect(formatTable.byId(id).oldHolder).toBe(oldHolder);
  });
});
