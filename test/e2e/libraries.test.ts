import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import {
  accessibilityProblems,
  alive,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const REDISSON = '5a1b2c3d-0000-4000-8000-123456789abc:31';
const PATTERN = 'stock-*';
const named = (message: string): string => message.replace('{pattern}', PATTERN);

describe('the page of libraries', () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    browser = await startBrowser();
    const link = await signInLink(at.console);
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(link);
    for (let i = 10; i < 15; i++) await at.client.hset(`stock-${i}`, REDISSON, 1);
  });

  afterAll(async () => await browser?.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('finds locks, pins their pattern, and takes the pin away again', async () => {
    await page.goto('/libraries');
    await page.getByText(en.libraries.noPins).waitFor();
    await button(en.discover.start).click();
    await button(named(en.discover.pinTitle)).click();
    expect(page.url()).toMatch(/run=/);
    await page.getByLabel(en.pin.reason).fill('the stock service takes these');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: en.pin.pin, exact: true }).click();

    const remove = button(named(en.libraries.removeTitle));
    await remove.waitFor();
    await until('its locks are known', async () => {
      const { pins } = await at.console.query('libraries');
      return pins[0]?.locks === 5;
    });
    await page.reload();
    await remove.click();
    await page.getByLabel(en.pin.reason).fill('they are not');
    await button(en.pin.unpin).click();
    await page.getByText(en.libraries.noPins).waitFor();
    expect(errors).toEqual([]);
  });

  it('is reached by the keyboard', async () => {
    await page.goto('/locks');
    await alive(page);
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.waitForURL('**/libraries');
  });
});
