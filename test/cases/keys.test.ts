import { describe, expect, it } from 'vitest';
import { toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis();

const KEYS: [string, Bytes][] = [
  ['5,000 bytes', `lock:${'k'.repeat(4995)}`],
  ['control characters and NUL', 'lock:\x00\x01\x1b[31m\r\nSET lock:injected 1\r\n\x7f'],
  ['HTML', 'lock:<img src=x onerror=alert(1)>"\'&amp;</script>'],
  ['bytes that are no UTF-8', 'lock:\xff\xfe\x80\xc3\x28'],
  ['glob characters', 'lock:[a-z]*?\\'],
  ['Cyrillic and a right-to-left override', Buffer.from('lock:ключ\u202egpj').toString('latin1')],
  ['slashes and dots', 'lock:../../etc/passwd?a=b#c%2f'],
];
const VALUE: Bytes = '\x00\xff<b>token</b>\r\n\x80';

describe('a key is bytes all the way', () => {
  it.each(KEYS)('a key of %s is listed, opened, released and audited', async (_, bytes) => {
    const key = Buffer.from(bytes, 'latin1');
    await at.client.set(key, Buffer.from(VALUE, 'latin1'), 'PX', 60_000);
    const lock = await until('it is listed', async () => {
      const found = await at.console.lock({ bytes });
      return found?.hold && found.hold.owner.id !== '' ? found : undefined;
    });
    expect(lock.keyB64).toBe(toBase64Url(bytes));
    expect(lock.key).not.toMatch(/\p{Cc}|\u202e/u);

    const detail = await at.console.detail({ bytes });
    expect(detail?.raw?.entries[0]?.hex.replaceAll(' ', '')).toBe(
      Buffer.from(VALUE, 'latin1').toString('hex'),
    );
    const answer = await at.console.release(
      { bytes },
      { version: lock.hold?.version, reason: 'a key of bytes' },
    );
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'released' } });
    expect(await at.client.exists(key)).toBe(0);
    await until('the audit names it', async () =>
      (await at.console.query('audit')).items.some(
        ({ keyB64, outcome }) => keyB64 === lock.keyB64 && outcome === 'done',
      ),
    );
  });
});
