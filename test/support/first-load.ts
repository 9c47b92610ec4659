import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';

export interface FirstLoad {
  /** Every script that was loaded, with its gzipped size in KB. */
  scripts: { text: string; kilobytes: number }[];
  /** The document, which carries the texts of the page, gzipped, in KB. */
  documentKilobytes: number;
}

const gzipped = (body: Buffer): number => gzipSync(body).length / 1024;

/** What a browser that has nothing of the console yet loads of `path` until `shown` settles. */
export async function firstLoadOf(
  browser: Browser,
  { url, path, storageState, shown }: FirstLoadOptions,
): Promise<FirstLoad> {
  const context = await browser.newContext({ baseURL: url, storageState });
  const page = await context.newPage();
  const bodies = new Map<string, Promise<Buffer>>();
  const keep = (response: Response): void => {
    if (response.request().resourceType() === 'script') bodies.set(response.url(), response.body());
  };
  page.on('response', keep);
  const document = await page.goto(path);
  await shown(page);
  page.off('response', keep);
  const scripts = await Promise.all(bodies.values());
  const html = await document?.body();
  await context.close();
  return {
    scripts: scripts.map((body) => ({ text: body.toString(), kilobytes: gzipped(body) })),
    documentKilobytes: html ? gzipped(html) : 0,
  };
}

export interface FirstLoadOptions {
  url: string;
  path: string;
  /** Of a browser that is signed in. */
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
  shown: (page: Page) => Promise<void>;
}

export const kilobytesOf = (scripts: FirstLoad['scripts']): number =>
  scripts.reduce((sum, { kilobytes }) => sum + kilobytes, 0);
