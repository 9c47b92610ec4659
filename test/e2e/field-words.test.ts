import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockHref } from '@/components/labels/lock-href';
import { en } from '@/lib/messages/en';
import { signInLink, startBrowser } from '@/test/support/browser';
import { pause } from '@/test/support/pause';
import { uuid1Token } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const MUTEX = `framework/schedule-${'4f'.repeat(20)}`;

describe('what somebody with a stuck lock reads', () => {
  const at = watchedRedis({
    env: {
      LOCKSCOPE_WATCH: 'framework/*',
      LOCKSCOPE_LONG_HOLD_MS: '1000',
      LOCKSCOPE_NO_EXPIRY_MS: '1000',
    },
  });
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await startBrowser();
    const link = await signInLink(at.console);
    const context = await browser.newContext({ baseURL: at.console.url, timezoneId: 'UTC' });
    page = await context.newPage();
    await page.goto(link);
  });

  afterAll(async () => await browser?.close());

  it('is the key to delete, and in words and at what time the lock frees itself, live', async () => {
    await at.client.set(MUTEX, 'Ab3dEf6hIj9lMn2p', 'PX', 24 * 60_000);
    const { hold, ...lock } = await at.console.heldBy(MUTEX, 'Ab3dEf6hIj9lMn2p');
    await page.goto(lockHref(lock));
    const sentence = page.getByText(/^Frees itself in/).first();
    await sentence.waitFor();
    const first = (await sentence.textContent()) ?? '';
    expect(first).toMatch(/^Frees itself in 23 m \d+ s, at \d\d:\d\d:\d\d$/);
    // Read once more it may be some milliseconds earlier or later, and so of the second before or after.
    const clocks = [-1000, 0, 1000].map((ms) =>
      new Date((hold?.deadline ?? 0) + ms).toISOString().slice(11, 19),
    );
    const clockIn = (text: string | null) => / at (\S+)$/.exec(text ?? '')?.[1];
    expect(clocks).toContain(clockIn(first));
    await pause(1_100);
    await until('it counts on', async () => (await sentence.textContent()) !== first);
    expect(clocks).toContain(clockIn(await sentence.textContent()));
    const key = page.getByText('The key to delete:').first();
    expect((await key.textContent())?.replaceAll('\u2060', '')).toContain(MUTEX);
  });

  it('is who held it before, and until when, once its end is past', async () => {
    await at.client.del(MUTEX);
    await page
      .getByText(/Last held by/)
      .first()
      .waitFor();
    expect(
      await page
        .getByText(/Last held by/)
        .first()
        .textContent(),
    ).toContain('Ab3dEf6hIj9lMn2p');
  });

  it('is an alert with age and last renewal, one click from the lock', async () => {
    await at.client.set('lock:sync', 'worker-a', 'PX', 600_000);
    await at.console.heldBy('lock:sync', 'worker-a');
    await at.client.pexpire('lock:sync', 600_000);
    await page.goto('/alerts');
    await page.getByText(/held .* by worker-a, renewed 1× \(the last time .* ago\)/).waitFor();
    await page.getByRole('link', { name: 'lock:sync' }).first().click();
    await page.waitForURL(/\/locks\//);
    await page.getByRole('heading', { level: 1, name: 'lock:sync' }).waitFor();
  });

  it('is what the token says, told as its word and apart from what was seen', async () => {
    const token = uuid1Token(Date.now() - 2_000, '02fc00000001');
    await at.client.set('lock:told', token, 'PX', 600_000);
    await page.goto(lockHref(await at.console.heldBy('lock:told', token)));
    await page.getByText(en.lock.holder.tokenAsked).first().waitFor();
    await page.getByText('02:fc:00:00:00:01').first().waitFor();
    await page.getByText(en.lock.holder.since, { exact: true }).first().waitFor();
  });

  it('is a list of all that never frees itself, by one press', async () => {
    await at.client.set('lock:endless', 'worker-b');
    await at.console.heldBy('lock:endless', 'worker-b');
    await page.goto('/locks');
    await page.getByText('lock:sync').first().waitFor();
    await page.getByText(en.locks.views['no-expiry'], { exact: true }).first().click();
    await page.waitForURL(/view=no-expiry/);
    await page.getByText('lock:endless').first().waitFor();
    await until(
      'the others are left out',
      async () => (await page.getByText('lock:sync').count()) === 0,
    );
    await page.getByText('lock:endless').first().click();
    await page.getByText(en.lock.holder.never).first().waitFor();
    expect(await page.getByText(/^Frees itself in/).count()).toBe(0);
  });
});
