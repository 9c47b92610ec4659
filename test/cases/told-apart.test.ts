import { afterEach, expect, it } from 'vitest';
import { seenAs } from '@/test/support/seen';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({
  redis: { flags: 'KEAm' },
  env: {
    LOCKSCOPE_WATCH: 'inv:*,rp:*',
    LOCKSCOPE_LONG_HOLD_MS: '12000',
    LOCKSCOPE_NO_EXPIRY_MS: '12000',
  },
});
const PATIENCE_MS = 120_000;
/** A machine that is late by less than this makes no renewal miss. */
const INTERVAL_MS = 4_000;
/** Long enough for the console to read who holds it. */
const LAPSING_MS = 5_000;
const GONE = '6fa459ea-ee8a-8ca4-894e-db77e160355e';
const HERE = '7fa459ea-ee8a-8ca4-894e-db77e160355e';
const REDISSON = '11111111-1111-4111-8111-111111111111:11';

let running: NodeJS.Timeout[] = [];
afterEach(() => {
  for (const timer of running) clearInterval(timer);
  running = [];
});

/** What alerts tell of each key so far, by its code; several of one code once. */
async function told(): Promise<Map<string, string[]>> {
  const { items } = await at.console.query('alerts', { limit: '1000' });
  const byKey = new Map<string, Set<string>>();
  for (const { code, subject } of items) {
    for (const { key } of subject.locks) {
      byKey.set(key, (byKey.get(key) ?? new Set()).add(code));
    }
  }
  return new Map([...byKey].map(([key, codes]) => [key, [...codes].toSorted()]));
}

const own = (key: string, owner: string, leaseMs: number) =>
  at.client.multi().hset(key, owner, '1').pexpire(key, leaseMs).exec();

const renewing = (key: string, leaseMs: number): void => {
  running.push(setInterval(() => void at.client.pexpire(key, leaseMs), INTERVAL_MS));
};

/** Each way in which a lock may look stuck or lost, all at once; and what each of them is called. */
const EXPECTED: Record<string, string[]> = {
  'qoder:lock:stuck': ['long-hold'],
  'qoder:lock:busy': ['long-hold'],
  'qoder:lock:zombie': ['long-hold', 'zombie-renewal'],
  'job-lock:default:kept': [],
  'lock:silent': ['long-hold', 'renewal-missed'],
  'lock:endless': ['long-hold', 'no-expiry'],
  'lock:taken': ['takeover'],
  'lock:lapsed': [],
  'lock:released': [],
  'rp:late': ['overrun'],
  'inv:orphan': ['orphan-queue'],
  'lock:order:null': ['empty-key'],
};

async function stage(): Promise<void> {
  const presence = { host: 'web-1', ip: '10.0.0.7', pid: '7', app: 'shop', startedAt: '1' };
  await at.client.hset(`lockscope:instance:${GONE}`, presence);
  await at.client.hset(`lockscope:instance:${HERE}`, presence);
  await own('qoder:lock:stuck', `${GONE}:1`, 600_000);
  await own('qoder:lock:zombie', `${GONE}:2`, 600_000);
  await own('qoder:lock:busy', `${HERE}:1`, 600_000);
  await seenAs(at.console, 'qoder:lock:stuck', ({ hold }) => hold?.owner.liveness === 'seen');
  await at.client.del(`lockscope:instance:${GONE}`);
  renewing('qoder:lock:busy', 600_000);
  renewing('qoder:lock:zombie', 600_000);

  const kept = 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e';
  await at.client.set('job-lock:default:kept', kept, 'PX', 600_000, 'NX');
  await at.console.heldBy('job-lock:default:kept', kept);
  await at.client.set('job-lock:default:kept', kept, 'PX', 500_000, 'XX');

  await at.client.set('lock:endless', 'E', 'NX');
  await at.client.set('lock:lapsed', 'L', 'PX', LAPSING_MS, 'NX');
  await at.client.set('lock:released', 'R', 'PX', 600_000, 'NX');
  await at.client.set('lock:taken', 'A', 'PX', 600_000, 'NX');
  const late = '12fd2086ec4611f188df02fc00000001';
  await at.client.set('rp:late', late, 'PX', LAPSING_MS, 'NX');
  await at.console.heldBy('lock:lapsed', 'L');
  await at.console.heldBy('rp:late', late);
  await at.console.heldBy('lock:released', 'R');
  await at.console.heldBy('lock:taken', 'A');
  await at.client.del('lock:released');
  await at.client.set('lock:taken', 'B', 'PX', 600_000);
  await at.console.heldBy('lock:taken', 'B');
  await at.client.del('lock:taken');
  await seenAs(at.console, 'rp:late', ({ state }) => state === 'free');
  await at.client.get('rp:late');

  await at.client
    .multi()
    .rpush('redisson_lock_queue:{inv:orphan}', REDISSON)
    .zadd('redisson_lock_timeout:{inv:orphan}', Date.now() + 600_000, REDISSON)
    .exec();
  await at.client.multi().set('lock:order:null', 'N', 'PX', 600_000).del('lock:order:null').exec();

  await at.client.set('lock:silent', 'S', 'PX', 600_000);
  for (let i = 0; i < 4; i++) {
    await pause(700);
    await at.client.pexpire('lock:silent', 600_000);
  }
}

it('what looks stuck or lost is told apart, each by its own name and no other', async () => {
  await stage();
  const keys = Object.keys(EXPECTED);
  const found = await until(
    'each has its own',
    async () => {
      const now = await told();
      const seen = Object.fromEntries(keys.map((key) => [key, now.get(key) ?? []]));
      const isAll = keys.every((key) => EXPECTED[key]?.every((code) => seen[key]?.includes(code)));
      return isAll ? seen : undefined;
    },
    PATIENCE_MS,
  );
  expect(found).toEqual(EXPECTED);
  const about = async (key: string) =>
    (await at.console.alerts('long-hold')).find(({ subject }) => subject.label === key);
  expect((await about('qoder:lock:stuck'))?.summary).not.toContain('renewed');
  expect((await about('qoder:lock:busy'))?.summary).toMatch(/renewed \d+×/);
  const liveness = async (key: string) => (await at.console.detail(key))?.hold?.owner.liveness;
  expect(await liveness('qoder:lock:stuck')).toBe('not-seen');
  expect(await liveness('qoder:lock:busy')).toBe('seen');
  expect((await at.console.detail('job-lock:default:kept'))?.state).toBe('cooling-down');
  expect((await at.console.detail('lock:lapsed'))?.lastEnd?.reason).toBe('lease-ended');
  expect((await at.console.detail('lock:released'))?.lastEnd?.reason).toBe('released');
}, 300_000);
