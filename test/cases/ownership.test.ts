import { describe, expect, it } from 'vitest';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { monitorCommands, type Monitored } from '@/test/support/monitor';
import { alertsAbout, firing, onTime, releaseNow, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*' } });
const HOLD_MS = 600_000;
/** Long enough to be read in; and the next one must have come and gone within as long after it. */
const LAPSING_MS = 10_000;
const UUID = '0f0f0f0f-0000-4000-8000-00000000000';

/** Says of which library the keys of a pattern are, where their values alone leave that open. */
async function pin(pattern: string, format: string): Promise<void> {
  const [target] = await at.console.query('targets');
  const body = { target: target?.id, pattern, format, reason: 'we know' };
  expect((await at.console.request('POST', '/api/v1/pins', { body })).status).toBe(200);
}

describe('a release that may have been another’s', () => {
  const isFree = (key: string) =>
    seenAs(at.console, key, ({ state, hold }) => state === 'free' && hold === null);
  /** Returns the lease as the console knows it. */
  const hold = async (key: string, owner: string, leaseMs: number) => {
    await at.client.set(key, owner, 'PX', leaseMs, 'NX');
    const seen = await at.console.heldBy(key, owner);
    return seen.hold?.leaseMs ?? null;
  };
  const lapses = async (key: string, owner: string): Promise<void> => {
    await hold(key, owner, LAPSING_MS);
    await isFree(key);
  };
  const isReleased = async (key: string, owner: string) => {
    const leaseMs = await hold(key, owner, HOLD_MS);
    await at.client.del(key);
    const { holds } = await isFree(key);
    return { key, leaseMs, holds };
  };
  /** A's lease ends, and B has come and gone before A's work may be over. */
  const foreign = (name: string) =>
    onTime(
      async (letter) => {
        await lapses(`${name}:${letter}`, 'A');
        return await isReleased(`${name}:${letter}`, 'B');
      },
      ({ leaseMs, holds: [second, first] }) =>
        leaseMs !== null && (second?.end ?? 0) - (first?.end ?? 0) < LAPSING_MS,
    );

  it('is a suspicion with both holders, and the history has the times', async () => {
    const { key, holds } = await foreign('lock:report');
    const alert = await firing(at.console, 'foreign-release-suspected', key);
    expect(alert).toMatchObject({ severity: 'warning', evidence: 'inferred' });
    expect(alert.summary).toMatch(/^B held it for .* only; it may have been released by A, whose/);
    expect(alert.remedy).toContain('A suspicion');
    expect(holds.map(({ owner, endReason }) => [owner, endReason])).toEqual([
      ['B', 'released'],
      ['A', 'lease-ended'],
    ]);
  }, 300_000);

  it('is none where each releases its own, where both leases ran out, or where the token is compared', async () => {
    await Promise.all([
      isReleased('lock:fine', 'A').then(() => isReleased('lock:fine', 'B')),
      lapses('lock:lapsed', 'A').then(() => lapses('lock:lapsed', 'B')),
      lapses('redlock:compared', `${UUID}1`).then(() => isReleased('redlock:compared', `${UUID}2`)),
    ]);
    const { key: told } = await foreign('lock:foreign');
    await firing(at.console, 'foreign-release-suspected', told);
    for (const key of ['lock:fine', 'lock:lapsed', 'redlock:compared']) {
      expect(await alertsAbout(at.console, 'foreign-release-suspected', key)).toEqual([]);
    }
  }, 300_000);
});

describe('a renewal that outlives the unlock', () => {
  it('is a renewal of nobody: the key is made anew by who had released it', async () => {
    await pin('redlock:zombie*', 'redlock-net');
    const alert = await onTime(
      async (letter) => {
        const key = `redlock:zombie:${letter}`;
        const renew = () => at.client.set(key, `${UUID}1`, 'PX', HOLD_MS);
        await renew();
        await at.console.heldBy(key, `${UUID}1`);
        await at.client.del(key);
        await seenAs(at.console, key, ({ state }) => state === 'free');
        const renewing = setInterval(() => void renew(), 300);
        return await firing(at.console, 'zombie-renewal', key).finally(() =>
          clearInterval(renewing),
        );
      },
      ({ evidence }) => evidence === 'observed',
    );
    expect(alert).toMatchObject({ evidence: 'observed', severity: 'warning' });
    expect(alert.summary).toBe(
      `${UUID}1 had released it, and a timer of its own made the key anew`,
    );
  });
});

describe('a forced release', () => {
  it('is one script that compares before it deletes', async () => {
    await at.client.set('lock:atomic', 'A', 'PX', HOLD_MS);
    await at.console.heldBy('lock:atomic', 'A');
    const lines: Monitored[] = [];
    const monitor = await monitorCommands(at.redis, (line) => {
      if (line.words.includes('lock:atomic')) lines.push(line);
    });
    expect((await releaseNow(at.console, 'lock:atomic')).status).toBe(200);
    await monitor.end();
    const deletes = lines.filter(({ words }) => /^(del|unlink)$/i.test(words[0] ?? ''));
    expect(deletes.map(({ from }) => from)).toEqual(['lua']);
    const before = lines[lines.findIndex((line) => line === deletes[0]) - 1];
    expect(before).toMatchObject({
      from: 'lua',
      words: [expect.stringMatching(/^get$/i), 'lock:atomic'],
    });
  });

  it('that is refused names who was expected and who holds it', async () => {
    await at.client.set('lock:moved', 'A', 'PX', HOLD_MS);
    const { hold } = await at.console.heldBy('lock:moved', 'A');
    const version = hold?.version;
    await at.client.multi().del('lock:moved').set('lock:moved', 'B', 'PX', HOLD_MS).exec();
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
    const stubborn = ['redlock:told:1', `${UUID}2`] as const;
    await at.client.set(...stubborn, 'PX', HOLD_MS);
    // Who renews so rarely is waited for the longest, and comes back as soon as its key is gone.
    const rarely = setInterval(() => void at.client.set(...stubborn, 'PX', HOLD_MS, 'XX'), 2_500);
    await seenAs(at.console, stubborn[0], ({ hold }) => hold?.renewalIntervalMs != null);
    clearInterval(rarely);
    const answer = releaseNow(at.console, stubborn[0]);
    await until('its key is gone', async () => (await at.client.exists(stubborn[0])) === 0);
    await at.client.set(...stubborn, 'PX', HOLD_MS);
    expect((await answer).body).toMatchObject({ cameBack: true, holderNoticed: 'came-back' });
    const obedient = setInterval(
      () => void at.client.set('redlock:told:2', `${UUID}3`, 'PX', HOLD_MS, 'XX'),
      250,
    );
    await at.client.set('redlock:told:2', `${UUID}3`, 'PX', HOLD_MS);
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
    await at.client.set(key, 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e', 'PX', HOLD_MS);
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
      await at.client.multi().hincrby(key, `${instance}:${thread}`, 1).pexpire(key, HOLD_MS).exec();
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
      await at.client.set(key, '8c1f0e5b9d3a47c2b6e8f1a0d4c7b9e3', 'PX', HOLD_MS, 'NX');
      await at.console.heldBy(key, '8c1f0e5b9d3a47c2b6e8f1a0d4c7b9e3');
    }
    await at.client.set('lock:data', '{"stock":17,"by":"import"}', 'PX', HOLD_MS);
    await at.client.set('lock:stolen', '11aa22bb33cc44dd55ee66ff77a08b9c', 'PX', HOLD_MS);
    await firing(at.console, 'takeover', 'lock:stolen');
    const data = await seenAs(at.console, 'lock:data', ({ holds }) => holds.length > 0);
    expect(data.holds[0]?.notes).toContain('value-changed-shape');
    expect(await alertsAbout(at.console, 'takeover', 'lock:data')).toEqual([]);
  });

  it('of another type is broken, and says so', async () => {
    await at.client.set('lock:typed', 'A', 'PX', HOLD_MS);
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
