import type { Report } from '@/test/perf/index';
import { fill } from '@/test/perf/load';
import { median } from '@/test/perf/statistics';
import { signInLink, startBrowser } from '@/test/support/browser';
import { startConsole } from '@/test/support/console';
import { firstLoadOf, kilobytesOf } from '@/test/support/first-load';
import { startRedis } from '@/test/support/redis-server';

/** The Locks page with 100,000 locks: from the request to rows on the screen, and what it loads. */
export async function measurePage(report: Report, quick: boolean): Promise<void> {
  const locks = quick ? 5000 : 100_000;
  const redis = await startRedis();
  await fill(redis.client(), 'lock:page:', locks);
  const console = await startConsole({ redisUrl: redis.url });
  const browser = await startBrowser();
  try {
    const link = await signInLink(console);
    const context = await browser.newContext({ baseURL: console.url });
    const first = await context.newPage();
    await first.goto(link);
    await first.getByRole('main').waitFor();
    const samples: number[] = [];
    for (let round = 0; round < (quick ? 2 : 5); round++) {
      const page = await context.newPage();
      const startedAt = performance.now();
      await page.goto('/locks', { waitUntil: 'commit' });
      await page.getByText('lock:page:').first().waitFor();
      // Interactive: the page answers a script, so its main thread is free again.
      await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
      samples.push(performance.now() - startedAt);
      await page.close();
    }
    report('page.interactiveMs', median(samples));
    // In a browser that has none of them yet.
    const { scripts } = await firstLoadOf(browser, {
      url: console.url,
      path: '/locks',
      storageState: await context.storageState(),
      shown: (page) => page.getByText('lock:page:').first().waitFor(),
    });
    report('page.jsKilobytes', kilobytesOf(scripts));
  } finally {
    await browser.close();
    await console.stop();
    await redis.stop();
  }
}
