import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '@/bin/bootstrap/tools';
import { until } from '@/test/support/until';

/** For a page that draws itself on a machine ten times as slow. */
const PATIENCE_MS = 90_000;

const ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium of this machine. `more`: arguments beyond the usual ones. */
export async function startBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium is missing; npm test installs or skips it');
  const browser = await chromium.launch({ executablePath, args: [...ARGUMENTS, ...more] });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

/** The link by which a console lets its first administrator in; good for one sign-in. */
export const signInLink = async (console: { output: () => string }): Promise<string> =>
  await until(
    'a sign-in link is printed',
    () => /(http:\/\/\S+magic-link\/verify\S+)/.exec(console.output())?.[1],
  );

/**
 * Waits until the page shows its data. What a server drew is there before its buttons and keys do anything; what came
 * over the live connection shows that they do.
 */
export const alive = async (page: Page): Promise<unknown> =>
  await until(
    'nothing is loading',
    // Asked again and again from outside: the page's own policy forbids a predicate given as text.
    async () => (await page.locator('[aria-busy="true"], .animate-skeleton').count()) === 0,
  );

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface AxeResults {
  violations: {
    id: string;
    help: string;
    nodes: { target: string[]; failureSummary?: string }[];
  }[];
}

/** What axe-core finds wrong on the page as it is, one line each; empty = nothing. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const results = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const details = (failureSummary ?? '').split('\n').slice(1).join(' ').trim();
      return `${id}: ${help} at ${target.join(' ')} (${details})`;
    }),
  );
}

/** What the page reported as wrong: uncaught errors, errors on the console, answers of 500 and above. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    errors.push(`console: ${message.text()}${url === '' ? '' : ` at ${url}`}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`);
  });
  return errors;
}
