import { describe, expect, it } from 'vitest';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { alertsAbout, firing, releaseNow, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*' } });
const UUID = '0f0f0f0f-0000-4000-8000-00000000000';

/** Says of which library the keys of a pattern are, where their values alone leave that open. */
async function pin(pattern: string, format: string): Promise<void> {
  const [target] = await at.console.query('targets');
  const body = { target: target?.id, pattern, format, reason: 'we know' };
  expect((await at.console.request('POST', '/api/v1/pins', { body })).status).toBe(200);
}

describe('a release that may have been another’s', () => {
  it('is a suspicion with both holders, and the history has the times', async () => {
    await at.client.set('lock:report', 'A', 'PX', 4_000, 'NX');
    await at.console.heldBy('lock:report', 'A');
    await seenAs(at.console, 'lock:report', ({ state }) => state === 'free');
    await at.client.set('lock:report', 'B', 'PX', 30_000, 'NX');
    await at.console.heldBy('lock:report', 'B');
    await at.client.del('lock:report');
    const alert = await firing(at.console, 'foreign-release-suspected', 'lock:report');
    expect(alert).toMatchObject({ severity: 'warning', evidence: 'inferred' });
    expect(alert.summary).toMatch(/^B held it for .* only; it may have been released by A, whose/);
    expect(alert.remedy).toContain('A suspicion');
    const { holds = [] } = (await at.console.detail('lock:report')) ?? {};
    expect(holds.map(({ owner, endReason }) => [owner, endReason])).toEqual([
      ['B', 'released'],
      ['A', 'lease-ended'],
    ]);
  });

  it('is none where each releases its own, where both leases ran out, or where the token is compared', async () => {
    const isFree = (key: string) =>
      seenAs(at.console, key, ({ state, hold }) => state === 'free' && hold === null, 30_000);
    const hold = async (key: string, owner: string, leaseMs: number): Promise<void> => {
      await at.client.set(key, owner, 'PX', leaseMs, 'NX');
      await at.console.heldBy(key, owner);
    };
    for (const owner of ['A', 'B']) {
      await hold('lock:fine', owner, 30_000);
      await at.client.del('lock:fine');
      await isFree('lock:fine');
    }
    for (const owner of ['A', 'B']) {
      await hold('lock:lapsed', owner, 4_000);
      await isFree('lock:lapsed');
    }
    for (const [key, first, second] of [
      ['redlock:compared', `${UUID}1`, `${UUID}2`],
      ['lock:foreign', 'A', 'B'],
    ] as const) {
      await hold(key, first, 4_000);
      await isFree(key);
      await hold(key, second, 30_000);
      await at.client.del(key);
      await isFree(key);
    }
    await firing(at.console, 'foreign-release-suspected', 'lock:foreign', 30_000);
    for (const key of ['lock:fine', 'lock:lapsed', 'redlock:compared']) {
      expect(await alertsAbout(at.console, 'foreign-release-suspected', key)).toEqual([]);
    }
  }, 120_000);
});

describe('a renewal that outlives the unlock', () => {
  it('is a renewal of nobody: the key is made anew by who had released it', async () => {
    await pin('redlock:zombie*', 'redlock-net');
    const key = 'redlock:zombie';
    const renew = () => at.client.set(key, `${UUID}1`, 'PX', 5_000);
    await renew();
    await at.console.heldBy(key, `${UUID}1`);
    await at.client.del(key);
    await seenAs(at.console, key, ({ state }) => state === 'free');
    const renewing = setInterval(() => void renew(), 300);
    const alert = await firing(at.console, 'zombie-renewal', key);
    clearInterval(renewing);
    expect(alert).toMatchObject({ evidence: 'observed', severity: 'warning' });
    expect(alert.summary).toBe(
      `${UUID}1 had released it, and a timer of its own made the key anew`,
    );
  });
});

describe('a forced release', () => {
  it('is one script that compares before it deletes', async () => {
    await at.client.set('lock:atomic', 'A', 'PX', 60_000);
    await at.console.heldBy('lock:atomic', 'A');
    const monitor = await at.redis.client().monitor();
    const lines: { source: string; words: string[] }[] = [];
    monitor.on('monitor', (_time: string, words: string[], source: string) => {
      if (words.includes('lock:atomic')) lines.push({ source, words });
    });
    expect((await releaseNow(at.console, 'lock:atomic')).status).toBe(200);
    const deletes = await until('the deletion is seen', () => {
      const found = lines.filter(({ words }) => /^(del|unlink)$/i.test(words[0] ?? ''));
      return found.length > 0 ? found : undefined;
    });
    monitor.disconnect();
    expect(deletes.map(({ source }) => source)).toEqual(['lua']);
    const before = lines[lines.findIndex((line) => line === deletes[0]) - 1];
    expect(before).toMatchObject({
      source: 'lua',
      words: [expect.stringMatching(/^get$/i), 'lock:atomic'],
    });
  });

  it('that is refused names who was expected and who holds it', async () => {
    await at.client.set('lock:moved', 'A', 'PX', 60_000);
    const { hold } = await at.console.heldBy('lock:moved', 'A');
    const version = hold?.version;
    await at.client.multi().del('lock:moved').set('lock:moved', 'B', 'PX', 60_000).exec();
    const other = await at.console.release('lock:moved', { version, reason: 'too late' });
    expect(other).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { expected: 'A', holder: 'B' } } },
    });
    expect(other.body['error']).toMatchObject({
      message: expect.stringMatching(
        /^Not released: holder is now B \(since \d+\.\d s\), and not A as it was shown\.$/,
      ),
    });
    await at.client.del('lock:moved');
    const nobody = await at.console.release('lock:moved', { version, reason: 'too late' });
    expect(nobody.body['error']).toMatchObject({
      message: 'Not released: nobody holds lock:moved any more; it was shown as held by A.',
      details: { expected: 'A', holder: null },
    });
  });

  it('tells whether the holder has noticed', async () => {
    await pin('redlock:told*', 'redlock-net');
    const renewing = (key: string, owner: string) =>
      setInterval(() => void at.client.set(key, owner, 'PX', 3_000), 250);
    const stubborn = renewing('redlock:told:1', `${UUID}2`);
    await seenAs(at.console, 'redlock:told:1', ({ hold }) => hold?.renewalIntervalMs != null);
    expect((await releaseNow(at.console, 'redlock:told:1')).body).toMatchObject({
      cameBack: true,
      holderNoticed: 'came-back',
    });
    clearInterval(stubborn);
    const obedient = setInterval(
      () => void at.client.set('redlock:told:2', `${UUID}3`, 'PX', 3_000, 'XX'),
      250,
    );
    await at.client.set('redlock:told:2', `${UUID}3`, 'PX', 3_000);
    await seenAs(at.console, 'redlock:told:2', ({ hold }) => hold?.renewalIntervalMs != null);
    expect((await releaseNow(at.console, 'redlock:told:2')).body).toMatchObject({
      cameBack: false,
      holderNoticed: 'stopped-renewing',
    });
    clearInterval(obedient);
  });
});

describe('a library that does not compare tokens', () => {
  it('is told of on the page of its locks', async () => {
    const key = 'job-lock:default:steals';
    await at.client.set(key, 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e', 'PX', 60_000);
    const lock = await seenAs(at.console, key, ({ hold }) => hold?.owner.host === 'host-1');
    expect(lock.library).toMatchObject({ name: 'ShedLock', oldHolder: 'steals' });
    expect(lock.library.releaseNotes).toContain('unchecked-unlock');
  });
});

describe('a holder of Redisson', () => {
  it('is an instance and a thread, and all locks of an instance are found by it', async () => {
    const instance = 'b983c153-7421-469a-addb-44fb92259a1b';
    for (const [key, thread] of [
      ['inv:1', '17'],
      ['inv:2', '18'],
    ] as const) {
      await at.client.multi().hincrby(key, `${instance}:${thread}`, 1).pexpire(key, 60_000).exec();
      const lock = await at.console.heldBy(key, `${instance}:${thread}`);
      expect(lock.hold?.owner).toMatchObject({ instance, thread });
    }
    const keysOf = async (owner: string) =>
      (await at.console.query('locks', { owner })).items.map(({ key }) => key).sort();
    expect(await keysOf(instance)).toEqual(['inv:1', 'inv:2']);
    expect(await keysOf(`${instance}:17`)).toEqual(['inv:1']);
  });
});

describe('a key that is used for something else', () => {
  it('was not stolen: its value changed its shape', async () => {
    for (const key of ['lock:data', 'lock:stolen']) {
      await at.client.set(key, '8c1f0e5b9d3a47c2b6e8f1a0d4c7b9e3', 'PX', 60_000, 'NX');
      await at.console.heldBy(key, '8c1f0e5b9d3a47c2b6e8f1a0d4c7b9e3');
    }
    await at.client.set('lock:data', '{"stock":17,"by":"import"}', 'PX', 60_000);
    await at.client.set('lock:stolen', '11aa22bb33cc44dd55ee66ff77a08b9c', 'PX', 60_000);
    await firing(at.console, 'takeover', 'lock:stolen');
    const data = await seenAs(at.console, 'lock:data', ({ holds }) => holds.length > 0);
    expect(data.holds[0]?.notes).toContain('value-changed-shape');
    expect(await alertsAbout(at.console, 'takeover', 'lock:data')).toEqual([]);
  });

  it('of another type is broken, and says so', async () => {
    await at.client.set('lock:typed', 'A', 'PX', 60_000);
    await at.console.heldBy('lock:typed', 'A');
    await at.client.multi().del('lock:typed').rpush('lock:typed', 'job 1', 'job 2').exec();
    const lock = await seenAs(at.console, 'lock:typed', ({ state }) => state === 'broken');
    expect(lock.broken).toContain('used for something else');
    expect(lock.hold).toBeNull();
    const path = `${encodeURIComponent(lock.target)}/0/${toBase64Url(bytesFromText('lock:typed'))}`;
    const body = { version: '1.x', reason: 'it is data' };
    expect(
      (await at.console.request('POST', `/api/v1/locks/${path}/release`, { body })).status,
    ).toBe(409);
    expect(await at.client.llen('lock:typed')).toBe(2);
  });
});
