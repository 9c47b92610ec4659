import type { Page } from 'playwright-core';
import type { Report } from '@/test/perf/index';
import { quantile } from '@/test/perf/statistics';
import { signInLink, startBrowser } from '@/test/support/browser';
import { startConsole } from '@/test/support/console';
import { startRedis } from '@/test/support/redis-server';
import { rollupOf, seedHistory, type History } from '@/test/support/seeded-history';

const STEP_MS = 10_000;
const CLASSES = 25;
const FRAMES = 240;
/** Whatever else runs on the machine only adds: the best round counts. */
const ROUNDS = 3;
/** A frame that need not wait for the screen is drawn as soon as it can be. */
const UNPACED = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/**
 * The heatmap of many locks while the wheel turns: from one frame to the next, with all that the browser
 * does for it. The console and its history are real, the screen sets no pace.
 */
export async function measureHeatmap(report: Report, quick: boolean): Promise<void> {
  const size = { rows: quick ? 500 : 5000, columns: 360 };
  const redis = await startRedis();
  const console = await startConsole({ redisUrl: redis.url });
  const browser = await startBrowser(UNPACED);
  try {
    const to = Math.floor(Date.now() / STEP_MS) * STEP_MS;
    await seedHistory(console, (target) => historyOf(target, { ...size, to }));
    const link = await signInLink(console);
    const context = await browser.newContext({
      baseURL: console.url,
      viewport: { width: 1440, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('main').waitFor();
    const from = to - size.columns * STEP_MS;
    await page.goto(`/heatmap?group=lock&rows=5000&from=${from}&to=${to}`);
    const map = page.getByRole('application');
    await map.waitFor({ timeout: 60_000 });
    report('heatmap.rows', digitsOf(await map.getAttribute('aria-label')));
    await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
    // What a frame takes here in which nothing changes: what a busy machine adds shows in both.
    const idle = await framesWhile(page, '');
    report('heatmap.idleFrameMs.p95', quantile(lengthsOf(idle), 0.95));
    const rounds: Frame[][] = [];
    for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
      rounds.push(await framesWhileZooming(page));
    }
    const best = (of: (frames: Frame[]) => number[], q: number): number =>
      Math.min(...rounds.map((frames) => quantile(of(frames), q)));
    report('heatmap.frameMs.p50', best(lengthsOf, 0.5));
    report('heatmap.frameMs.p95', best(lengthsOf, 0.95));
    report('heatmap.redrawMs.p95', best(workOf, 0.95));
  } finally {
    await browser.close();
    await console.stop();
    await redis.stop();
  }
}

const digitsOf = (text: string | null): number => Number((text ?? '').replaceAll(/\D/g, ''));

/** Few locks are hot and all of them are held now and then, as in a map of thousands. */
function* historyOf(
  target: string,
  { rows, columns, to }: { rows: number; columns: number; to: number },
): Generator<History> {
  for (let column = columns; column > 0; column--) {
    const step = to - column * STEP_MS;
    const locks = Array.from({ length: rows }, (_, row) => {
      const heat = (row * 7919) % 1000;
      const heldMs = (heat < 6 ? 9000 : heat < 60 ? 900 : 40) + ((row * column) % 37);
      const about = classOf(target, row % CLASSES, step);
      return rollupOf({
        ...about,
        lock: { db: 0, key: `${about.namespace}:${row}` },
        acquisitions: 1,
        heldMs,
      });
    });
    const classes = Array.from({ length: CLASSES }, (_, index) => {
      const own = locks.filter((_lock, row) => row % CLASSES === index);
      return rollupOf({
        ...classOf(target, index, step),
        acquisitions: own.length,
        heldMs: own.reduce((sum, { heldMs }) => sum + heldMs, 0),
      });
    });
    yield { rollups: [...locks, ...classes] };
  }
}

const classOf = (target: string, index: number, step: number) => ({
  target,
  namespace: `service-${index % 5}`,
  class: `service-${index % 5}:${index}:*`,
  step,
  spanMs: STEP_MS,
});

/** A frame, ms: from the one before it, which a screen may pace, and what its thread did for it; the compositor's work is not in it. */
interface Frame {
  lengthMs: number;
  workMs: number;
}

const lengthsOf = (frames: readonly Frame[]): number[] => frames.map(({ lengthMs }) => lengthMs);
const workOf = (frames: readonly Frame[]): number[] => frames.map(({ workMs }) => workMs);

/** Turns the wheel once a frame, in and out again over different places. */
const framesWhileZooming = (page: Page): Promise<Frame[]> =>
  framesWhile(
    page,
    `const isInward = done % 40 < 20;
    canvas.dispatchEvent(new WheelEvent('wheel', {
      deltaY: isInward ? -60 : 60,
      clientX: box.left + box.width * (0.5 + 0.3 * Math.sin(done / 40)),
      clientY: box.top + box.height * (0.5 + 0.3 * Math.cos(done / 40)),
      bubbles: true,
      cancelable: true,
    }));`,
  );

/**
 * Runs `script` once a frame, with how many frames are `done`, the `canvas` and its `box`. A message that is posted in a
 * frame comes after the page has been drawn for it.
 */
async function framesWhile(page: Page, script: string): Promise<Frame[]> {
  return await page.evaluate<Frame[]>(`new Promise((resolve) => {
    const canvas = document.querySelector('[role="application"] canvas');
    const box = canvas.getBoundingClientRect();
    const frames = [];
    const drawn = new MessageChannel();
    let last = performance.now();
    let began = last;
    // What was asked for in the last frame is drawn before this is called: the frame began earlier.
    const turn = (frameAt) => {
      began = frameAt;
      const done = frames.length;
      ${script}
      drawn.port2.postMessage(null);
    };
    drawn.port1.onmessage = () => {
      frames.push({ lengthMs: began - last, workMs: performance.now() - began });
      last = began;
      if (frames.length > ${FRAMES}) return resolve(frames.slice(1));
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  })`);
}
