import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { RawValue, RecogniseContext } from '@/lib/formats/format';
import { list, text, zset } from '@/test/support/raw-values';

const NOW = 1_800_000_000_000;
const RANDOM_16 = 'aB3dE6gH9jK2mN5p';
const RANDOM_20 = 'aB3dE6gH9jK2mN5pQ8rS';
const HEX_80 = '0123456789abcdef'.repeat(5);
const BYTES_20 = '\xff\x00\x81raw bytes of rust';
const SHA1 = 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3';
const READER = Buffer.alloc(32, 7).toString('base64');
const WRITER = Buffer.alloc(32, 9).toString('base64');

const found = (key: string, value: RawValue | null, more: Partial<RecogniseContext> = {}) =>
  formatTable.recognise(key, value, { declared: false, now: NOW, pttl: 1000, ...more });

function fitting(key: string, value: RawValue, more: Partial<RecogniseContext> = {}): string[] {
  const all = found(key, value, more);
  return all ? [all.format.id, ...all.others.map(({ format }) => format.id)] : [];
}

const decoded = (id: string, key: string, value: RawValue, clockMs = 0) =>
  formatTable.byId(id).decode(key, value, { now: NOW, leaseMs: null, clockMs });

describe('Laravel’s locks', () => {
  it.each<[string, string, RawValue, string]>([
    ['a unique job', 'laravel_unique_job:App\\Jobs\\Ship:17', text(RANDOM_16), 'prefix'],
    [
      'a unique job behind prefixes',
      'shop-database-shop-cache-laravel_unique_job:App\\Jobs\\Ship:17',
      text(RANDOM_16),
      'infix',
    ],
    ['an overlap', 'shop_database_shop_cache_laravel-queue-overlap:ab:1', text(RANDOM_16), 'infix'],
    ['a scheduled task', `framework/schedule-${SHA1}`, text(RANDOM_16), 'prefix'],
    ['a scheduled task on one server', `framework/schedule-${SHA1}0130`, text('b:1;'), 'prefix'],
    ['flexible', 'x-cache-illuminate:cache:flexible:lock:k', text(`s:16:"${RANDOM_16}";`), 'infix'],
  ])('are certain where the framework named them: %s', (_name, key, value, because) => {
    expect(found(key, value)).toMatchObject({
      format: { id: 'laravel' },
      recognition: { certainty: 'certain', because: { id: because } },
    });
  });

  it('are likely in a cache, or where the name or an operator says so', () => {
    expect(fitting('shop-database-shop-cache-orders', text(RANDOM_16))).toContain('laravel');
    expect(fitting('shop_database_shop_cache_orders', text(RANDOM_16))).toContain('laravel');
    expect(fitting('order-lock', text(RANDOM_16))).toContain('laravel');
    expect(fitting('order', text(RANDOM_16), { declared: true })).toContain('laravel');
    expect(fitting('order-lock', text(`s:16:"${RANDOM_16}";`))).toContain('laravel');
    expect(fitting('order-lock', text(RANDOM_16), { pttl: null })).toContain('laravel');
  });

  it.each<[string, string, RawValue]>([
    ['a random value of any name', 'session:1', text(RANDOM_16)],
    ['a cached string', 'shop_cache_token', text(`s:16:"${RANDOM_16}";`)],
    ['a cached number', 'shop_cache_count', text('1234567890123456')],
    ['a longer value', 'shop_cache_orders', text(`${RANDOM_16}x`)],
    ['a serialised value of a wrong length', 'order-lock', text(`s:15:"${RANDOM_16}";`)],
    ['a hash of the framework', 'laravel_unique_job:a', list('x')],
  ])('are not %s', (_name, key, value) => {
    expect(fitting(key, value)).not.toContain('laravel');
  });

  it('show the owner without what PHP wrote around it, and compare with all of it', () => {
    const value = text(`s:16:"${RANDOM_16}";`);
    expect(decoded('laravel', 'x-lock', value).holders).toMatchObject([
      { token: `s:16:"${RANDOM_16}";`, owner: { id: RANDOM_16 } },
    ]);
    expect(decoded('laravel', 'x-lock', text('worker 1')).holders[0]?.owner.id).toBe('worker 1');
  });

  it('of the limiter are named by their place at the end', () => {
    expect(fitting('shop-database-reports3', text(RANDOM_20))).toEqual(['laravel-funnel']);
    expect(fitting('shop-database-reports3', text(RANDOM_20), { pttl: null })).toEqual([]);
    expect(fitting('report-lock:12', text(RANDOM_20))).toContain('laravel-funnel');
    expect(fitting('report-lock:', text(RANDOM_20))).not.toContain('laravel-funnel');
    expect(fitting('session:12', text(RANDOM_20))).toEqual([]);
    expect(fitting('report-lock:12', text('12345678901234567890'))).not.toContain('laravel-funnel');
  });
});

describe('Symfony’s locks', () => {
  const reading = zset([READER, NOW + 500], [WRITER, NOW - 1]);

  it('are certain by their members alone', () => {
    for (const value of [reading, zset([WRITER, NOW + 1], ['__write__', NOW + 1])]) {
      expect(found('invoice', value)).toMatchObject({
        format: { id: 'symfony' },
        recognition: { certainty: 'certain' },
      });
    }
  });

  it.each<[string, RawValue]>([
    ['a mark alone', zset(['__write__', NOW])],
    ['another member', zset([READER, NOW], ['x', NOW])],
    ['members that are too short', zset([READER.slice(4), NOW])],
    ['33 bytes', zset([Buffer.alloc(33, 7).toString('base64'), NOW])],
    ['an empty set', zset()],
    ['a string', text(READER)],
  ])('are not %s', (_name, value) => {
    expect(fitting('invoice', value)).not.toContain('symfony');
  });

  it('say of each reader until when it may read', () => {
    expect(decoded('symfony', 'invoice', reading, 100).holders).toMatchObject([
      { token: READER, role: 'reader', deadline: NOW + 600, stale: false },
      { token: WRITER, role: 'reader', deadline: NOW + 99, stale: false },
    ]);
    expect(decoded('symfony', 'invoice', reading).holders[1]?.stale).toBe(true);
  });

  it('name the writer, and not the mark beside it', () => {
    const writing = zset(['__write__', NOW + 5], [WRITER, NOW + 5]);
    expect(decoded('symfony', 'invoice', writing)).toMatchObject({
      holders: [{ token: WRITER, role: 'writer' }],
      broken: null,
    });
    expect(decoded('symfony', 'invoice', zset(['__write__', NOW + 5])).broken).not.toBeNull();
    expect(decoded('symfony', 'invoice', text(WRITER)).broken).not.toBeNull();
  });

  it('leave a key for a moment that is none', () => {
    expect(formatTable.sideKey('symfony_check_support_time')).toEqual({ parent: null });
    expect(formatTable.sideKey('app:symfony_check_support_time')).toEqual({ parent: null });
  });
});

describe('tokens of Elixir and Rust', () => {
  it.each<[string, string]>([
    ['elixir-redlock', HEX_80],
    ['rslock', BYTES_20],
  ])('are locks with a time to live, or where the name says so: %s', (id, token) => {
    expect(fitting('res', text(token))).toEqual([id]);
    expect(fitting('res', text(token), { pttl: null })).toEqual([]);
    expect(fitting('res-lock', text(token), { pttl: null })).toContain(id);
    expect(fitting('res', text(token), { pttl: null, declared: true })).toContain(id);
    expect(found('res', text(token))?.recognition.certainty).toBe('likely');
  });

  it.each<[string, string]>([
    ['78 hex digits', HEX_80.slice(2)],
    ['82 hex digits', `${HEX_80}00`],
    ['80 letters', 'x'.repeat(80)],
    ['20 characters of text', 'twenty characters ok'],
    ['21 raw bytes', `${BYTES_20}\xff`],
    ['nothing', ''],
  ])('are not %s', (_name, value) => {
    const ids = fitting('res', text(value));
    expect(ids).not.toContain('elixir-redlock');
    expect(ids).not.toContain('rslock');
  });

  it('are shown in hex where they are raw', () => {
    expect(BYTES_20).toHaveLength(20);
    expect(decoded('rslock', 'res', text(BYTES_20)).holders).toMatchObject([
      { token: BYTES_20, owner: { id: Buffer.from(BYTES_20, 'latin1').toString('hex') } },
    ]);
  });
});

describe('values of a key that only its name declares', () => {
  it.each([
    ['text', 'worker 7', 'worker 7'],
    ['serialised by PHP', 's:3:"abc";', 's:3:"abc";'],
    ['igbinary', '\x00\x00\x00\x02\x11\x03abc', '\\x00\\x00\\x00\\x02\\x11\\x03abc'],
    ['raw bytes', '\x93\x01\xc0\xff', '0x9301c0ff'],
    ['nothing', '', '(empty)'],
  ])('are shown whatever they are: %s', (_name, value, shown) => {
    expect(decoded('pattern', 'lock:x', text(value)).holders).toMatchObject([
      { token: value, owner: { id: shown } },
    ]);
  });

  it('are not taken for raw where only their end was cut', () => {
    const cut = `${'é'.repeat(3)}`;
    const bytes = Buffer.from(cut).toString('latin1').slice(0, -1);
    const [holder] = decoded('pattern', 'lock:x', text(bytes, true)).holders;
    expect(holder?.owner.id.startsWith('0x')).toBe(false);
  });
});
