import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { BesideKeys, RawValue, RecogniseContext } from '@/lib/formats/format';
import { beside, hash, list, text } from '@/test/support/raw-values';

const NOW = 1_800_000_000_000;
const HEX_32 = '0123456789abcdef0123456789abcdef';
const BASE64_18 = 'q83vASNFZ4mrze8BI0VniQEj';
const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i));

const found = (key: string, value: RawValue | null, context: Partial<RecogniseContext> = {}) =>
  formatTable.recognise(key, value, { declared: false, now: NOW, pttl: 1000, ...context });
const candidates = (...args: Parameters<typeof found>): string[] => {
  const best = found(...args);
  return best ? [best.format.id, ...best.others.map(({ format }) => format.id)] : [];
};
const decoded = (id: string, key: string, value: RawValue, keys?: BesideKeys) =>
  formatTable
    .byId(id)
    .decode(key, value, { now: NOW, leaseMs: null, ...(keys && { beside: keys }) });

describe('python-redis-lock', () => {
  const signal = beside({ 'lock-signal:a': list('1') });

  it('is likely by its value and certain by its signal list', () => {
    expect(found('lock:a', text(BASE64_18))).toMatchObject({
      format: { id: 'python-redis-lock' },
      recognition: { certainty: 'likely' },
    });
    expect(found('lock:a', text('web-1:71'), { beside: signal })).toMatchObject({
      format: { id: 'python-redis-lock' },
      recognition: { certainty: 'certain', because: { id: 'signal-list' } },
      others: [],
    });
    expect(candidates('other:a', text(BASE64_18), { declared: true })).not.toContain(
      'python-redis-lock',
    );
  });

  it('is remembered where the value is the application’s own and the list has gone', () => {
    const nothing = beside({ 'lock-signal:a': null });
    expect(found('lock:a', text('web-1:71'), { beside: nothing })?.format.id).toBe('pattern');
    const context = { beside: nothing, knownAs: 'python-redis-lock' };
    expect(found('lock:a', text('web-1:71'), context)?.format.id).toBe('python-redis-lock');
  });

  it('is no lock of another type', () => {
    expect(candidates('lock:a', hash(['a', 'b']), { beside: signal })).not.toContain(
      'python-redis-lock',
    );
  });

  it('has its list read with it, and events on the list lead to it', () => {
    expect(formatTable.beside('lock:a', text(BASE64_18))).toEqual(['lock-signal:a']);
    expect(formatTable.beside('lock:a', text('any other value'))).toEqual([]);
    expect(formatTable.sideKey('lock-signal:a')).toEqual({ parent: 'lock:a', isBeside: true });
    expect(formatTable.watchedPrefixes).toContain('lock-signal:');
  });

  it('names host and process where the value does', () => {
    expect(decoded('python-redis-lock', 'lock:a', text('web-1:71')).holders).toMatchObject([
      { token: 'web-1:71', owner: { host: 'web-1', pid: 71 } },
    ]);
    expect(decoded('python-redis-lock', 'lock:a', text(BASE64_18)).holders).toMatchObject([
      { owner: { id: BASE64_18, host: null, pid: null } },
    ]);
  });
});

describe('sidekiq-unique-jobs', () => {
  const KEY = `uniquejobs:${HEX_32}`;
  const around = (keys: Partial<Record<'LOCKED' | 'QUEUED' | 'PRIMED' | 'INFO', RawValue>>) =>
    beside(
      Object.fromEntries(
        (['LOCKED', 'QUEUED', 'PRIMED', 'INFO'] as const).map((name) => [
          `${KEY}:${name}`,
          keys[name] ?? null,
        ]),
      ),
    );
  const decode = (keys?: BesideKeys) => decoded('sidekiq-unique-jobs', KEY, text('jid-1'), keys);

  it('is read with the keys around it, and events on these lead to it', () => {
    expect(formatTable.beside(KEY, null)).toEqual([
      `${KEY}:LOCKED`,
      `${KEY}:QUEUED`,
      `${KEY}:PRIMED`,
      `${KEY}:INFO`,
    ]);
    for (const name of ['LOCKED', 'QUEUED', 'PRIMED', 'INFO']) {
      expect(formatTable.sideKey(`${KEY}:${name}`)).toEqual({ parent: KEY });
      expect(formatTable.sideKey(`${KEY}:RUN:${name}`)).toEqual({ parent: `${KEY}:RUN` });
    }
    expect(formatTable.sideKey(KEY)).toBeNull();
    expect(formatTable.sideKey(`${KEY}:RUN`)).toBeNull();
  });

  it.each(['digests', 'expiring_digests', 'changelog', 'profiles:1', 'reaper', 'LOCKED'])(
    'takes uniquejobs:%s for noise',
    (name) => {
      expect(formatTable.sideKey(`uniquejobs:${name}`)).toEqual({ parent: null });
    },
  );

  it('is held by those in the hash, since when it says', () => {
    const keys = around({
      LOCKED: hash(['jid-1', '1700000000.123'], ['jid-2', '1700000001']),
      INFO: text('{"worker":"Mailer","limit":3,"lock_args":["secret@example.org"]}'),
    });
    const { holders, permits, broken } = decode(keys);
    expect(broken).toBeNull();
    expect(holders).toMatchObject([
      {
        token: 'jid-1',
        owner: { thread: 'jid-1', app: 'Mailer' },
        tokenTime: { at: 1_700_000_000_123, means: 'taken' },
      },
      { token: 'jid-2', tokenTime: { at: 1_700_000_001_000, means: 'taken' } },
    ]);
    expect(permits).toEqual({ total: 3, free: 1 });
    expect(JSON.stringify(holders)).not.toContain('secret');
  });

  it('is held by the digest’s job where the hash was not read', () => {
    expect(decode()).toMatchObject({ broken: null, holders: [{ token: 'jid-1' }] });
  });

  it('is on the way while a job stands in a list, and broken where nothing but the digest is left', () => {
    for (const name of ['QUEUED', 'PRIMED'] as const) {
      const keys = around({ [name]: list('jid-1') });
      expect(decode(keys)).toMatchObject({ broken: null, holders: [{ token: 'jid-1' }] });
    }
    expect(decode(around({})).broken).toContain(`${KEY}:LOCKED`);
    expect(decode(around({ LOCKED: text('x') })).broken).toContain(`${KEY}:LOCKED`);
  });

  it('is shown without what it says of itself where that cannot be read', () => {
    for (const info of ['', 'null', '{', '[]', '7', '{"worker":7,"limit":"x"}', EVERY_BYTE]) {
      const keys = around({ LOCKED: hash(['jid-1', 'soon']), INFO: text(info) });
      const { holders, permits } = decode(keys);
      expect(holders).toMatchObject([{ token: 'jid-1', owner: { app: null }, tokenTime: null }]);
      expect(permits).toBeUndefined();
    }
  });
});
