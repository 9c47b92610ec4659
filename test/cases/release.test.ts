import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '@/lib/protocol/audit';
import type { Lock, LockDetail } from '@/lib/protocol/lock';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*,acct:*' } });

const HOLD_MS = 600_000;
const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';

async function heldBy(key: string, owner: string): Promise<LockDetail> {
  return await until(`${key} is held by ${owner}`, async () => {
    const found = await at.console.detail(key);
    return found?.hold?.owner.id === owner ? found : undefined;
  });
}

async function auditOf(key: string): Promise<AuditEntry[]> {
  return (await at.console.query('audit', { key })).items;
}

const take = async (key: string, owner: string): Promise<void> => {
  await at.client.multi().hincrby(key, owner, 1).pexpire(key, HOLD_MS).exec();
};

describe('a forced release', () => {
  it('wakes the waiters, ends the hold as forced, and is audited before and after', async () => {
    const channel = 'redisson_lock__channel:{inv:9}';
    const messages: string[] = [];
    for (const subscriber of [at.redis.client(), at.redis.client()]) {
      subscriber.on('message', (_, message) => messages.push(message));
      await subscriber.subscribe(channel);
    }
    await take('inv:9', A);
    const { hold } = await heldBy('inv:9', A);
    await until('two instances are seen waiting', async () => {
      const found = await at.console.lock('inv:9');
      return found?.waiting.count === 2 && found.waiting.evidence === 'observed';
    });

    const answer = await at.console.release('inv:9', {
      version: hold?.version,
      reason: 'stuck job',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { outcome: 'released', wokeWaiters: 2, cameBack: false },
    });
    await until('both subscribers hear of it', () => messages.length >= 2);
    expect(new Set(messages)).toEqual(new Set(['0']));
    expect(await at.client.exists('inv:9')).toBe(0);

    const detail = await until('it is free', async () => {
      const found = await at.console.detail('inv:9');
      return found?.state === 'free' ? found : undefined;
    });
    expect(detail.holds[0]?.endReason).toBe('force-released');
    const entries = (await auditOf('inv:9')).filter(({ action }) => action === 'lock.release');
    expect(entries.map(({ outcome }) => outcome).sort()).toEqual(['done', 'requested']);
    expect(entries[0]).toMatchObject({ actor: 'token:admin', reason: 'stuck job', key: 'inv:9' });
  });

  it('is refused when the holder changed before the click, and touches nothing', async () => {
    await take('inv:10', A);
    const { hold } = await heldBy('inv:10', A);
    await at.client.del('inv:10');
    await take('inv:10', B);
    const answer = await at.console.release('inv:10', {
      version: hold?.version,
      reason: 'too late',
    });
    expect(answer.status).toBe(409);
    expect(answer.body['error']).toMatchObject({ code: 'CONFLICT' });
    expect(answer.body['error']).toMatchObject({
      message: expect.stringMatching(new RegExp(`holder is now ${B} \\(since \\d+\\.\\d s\\)`)),
      details: { holder: B },
    });
    expect(await at.client.hgetall('inv:10')).toEqual({ [B]: '1' });
    const refused = await until('the refusal is audited', async () =>
      (await auditOf('inv:10')).find(({ outcome }) => outcome === 'refused'),
    );
    expect(refused.code).toBe('CONFLICT');
  });

  it('is refused when the same holder entered again since', async () => {
    await take('inv:11', A);
    const { hold } = await heldBy('inv:11', A);
    await take('inv:11', A);
    const answer = await at.console.release('inv:11', {
      version: hold?.version,
      reason: 'too late',
    });
    expect(answer.status).toBe(409);
    expect(await at.client.hget('inv:11', A)).toBe('2');
  });

  it('says so when the holder comes back', async () => {
    await at.client.set('lock:back', 'A', 'PX', HOLD_MS);
    const { hold } = await heldBy('lock:back', 'A');
    const answer = at.console.release('lock:back', { version: hold?.version, reason: 'try' });
    await until('its key is gone', async () => (await at.client.exists('lock:back')) === 0);
    await at.client.set('lock:back', 'A', 'PX', HOLD_MS);
    expect(await answer).toMatchObject({
      status: 200,
      body: { outcome: 'released', cameBack: true },
    });
  });

  it('is refused when the same holder took the lock anew, and not when it only renewed', async () => {
    await at.client.set('lock:anew', 'A', 'PX', HOLD_MS);
    const { hold } = await heldBy('lock:anew', 'A');
    await at.client.pexpire('lock:anew', 2 * HOLD_MS);
    await at.client.multi().del('lock:anew').set('lock:anew', 'A', 'PX', HOLD_MS).exec();
    const old = await at.console.release('lock:anew', { version: hold?.version, reason: 'late' });
    expect(old.status).toBe(409);
    expect(await at.client.get('lock:anew')).toBe('A');
    const { hold: present } = await until('the new hold is known', async () => {
      const found = await heldBy('lock:anew', 'A');
      return found.hold?.generation !== hold?.generation ? found : undefined;
    });
    expect(present?.generation).toBe((hold?.generation ?? 0) + 1);
    await at.client.set('lock:anew', 'A', 'PX', 2 * HOLD_MS);
    const answer = await at.console.release('lock:anew', {
      version: present?.version,
      reason: 'renewed only',
    });
    expect(answer.status).toBe(200);
  });

  it('is done once however many ask for it at once, and every one of them is audited', async () => {
    await take('inv:race', A);
    const { hold } = await heldBy('inv:race', A);
    const body = { version: hold?.version, reason: 'all at once' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => at.console.release('inv:race', body)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
    const { items } = await at.console.query('audit', { key: 'inv:race', limit: '1000' });
    const count = (wanted: string) => items.filter(({ outcome }) => outcome === wanted).length;
    expect([count('requested'), count('done'), count('refused')]).toEqual([50, 1, 49]);
    expect((await at.console.detail('inv:race'))?.lastEnd?.reason).toBe('force-released');
  });

  it('is an alert when the holder comes back only after the answer', async () => {
    const token = '0f0f0f0f-0000-4000-8000-00000000000a';
    await at.client.set('redlock:late', token, 'PX', HOLD_MS);
    const { hold } = await heldBy('redlock:late', token);
    const body = { version: hold?.version, reason: 'keep-alive comes later' };
    const answer = await at.console.release('redlock:late', body);
    expect(answer.body).toMatchObject({ outcome: 'released', cameBack: false });
    await at.client.set('redlock:late', token, 'PX', HOLD_MS);
    await until('it is an alert', async () =>
      (await at.console.alerts('came-back')).some(
        ({ subject, state }) => subject.label === 'redlock:late' && state === 'firing',
      ),
    );
  });

  it('reaches a key of 5,000 bytes that are no text, and its audit by that key', async () => {
    const bytes = `lock:${'\xff'.repeat(5000)}`;
    await at.client.set(Buffer.from(bytes, 'latin1'), 'A', 'PX', HOLD_MS);
    const { hold, key } = await at.console.heldBy({ bytes }, 'A');
    const answer = await at.console.release(
      { bytes },
      { version: hold?.version, reason: 'any bytes' },
    );
    expect(answer.status).toBe(200);
    expect((await auditOf(key)).length).toBe(2);
    const past = await until('its hold is over', async () => {
      const [found] = (await at.console.query('holds', { key })).items;
      return found?.endReason ? found : undefined;
    });
    expect(past.endReason).toBe('force-released');
  });

  it('wants a reason', async () => {
    await at.client.set('lock:reason', 'A', 'PX', HOLD_MS);
    const { hold } = await heldBy('lock:reason', 'A');
    const answer = await at.console.release('lock:reason', { version: hold?.version, reason: ' ' });
    expect(answer.status).toBe(422);
    expect(answer.body['error']).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await at.client.get('lock:reason')).toBe('A');
  });

  it('does not delete a lock that BullMQ would rather manage itself', async () => {
    const key = 'bull:mail:17:lock';
    await at.client.set(key, '0f0f0f0f-0000-4000-8000-000000000001:3', 'PX', HOLD_MS);
    const detail = await until('it is held', async () => {
      const found = await at.console.detail(key);
      return found?.hold ? found : undefined;
    });
    expect(detail).toMatchObject({ format: 'bullmq', canRelease: false });
    const answer = await at.console.release(key, {
      version: detail.hold?.version,
      reason: 'try it',
    });
    expect(answer.status).toBe(409);
    expect(await at.client.exists(key)).toBe(1);
  });
});

describe('a deadlock in fair queues', () => {
  it('is confirmed once, and ends when one of the locks is released', async () => {
    const waitUntil = Date.now() + 300_000;
    await take('acct:1', A);
    await take('acct:2', B);
    await at.client.rpush('redisson_lock_queue:{acct:2}', A);
    await at.client.zadd('redisson_lock_timeout:{acct:2}', waitUntil, A);
    await at.client.rpush('redisson_lock_queue:{acct:1}', B);
    await at.client.zadd('redisson_lock_timeout:{acct:1}', waitUntil, B);

    const deadlock = await until('the cycle is confirmed', async () =>
      (await at.console.query('deadlocks')).find(({ state }) => state === 'confirmed'),
    );
    expect(deadlock.cycle.map(({ owner }) => owner).sort()).toEqual([A, B]);
    const alerts = await until('deadlock fires', async () => {
      const found = await at.console.alerts('deadlock');
      return found.length > 0 ? found : undefined;
    });
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({
      severity: 'critical',
      state: 'firing',
      evidence: 'observed',
    });

    const { hold } = await heldBy('acct:1', A);
    const answer = await at.console.release('acct:1', {
      version: hold?.version,
      reason: 'deadlock',
    });
    expect(answer.status).toBe(200);
    await until('the deadlock is resolved', async () =>
      (await at.console.query('deadlocks')).some(
        ({ id, state }) => id === deadlock.id && state === 'resolved',
      ),
    );
    await until('the alert resolves', async () =>
      (await at.console.alerts('deadlock')).every(({ state }) => state === 'resolved'),
    );
  });
});

describe('who may ask', () => {
  it('nobody without a session or token reads or acts', async () => {
    await at.client.set('lock:secret', 'A', 'PX', HOLD_MS);
    const paths = [
      'locks',
      'targets',
      'alerts',
      'audit',
      'classes',
      'deadlocks',
      'waits',
      'heatmap',
    ];
    for (const path of paths) {
      for (const token of [null, 'wrong-token-that-is-long-enough-to-be-one']) {
        const answer = await at.console.request('GET', `/api/v1/${path}`, { token });
        expect({ path, status: answer.status }).toEqual({ path, status: 401 });
        expect(answer.body).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
      }
    }
    const act = await at.console.request('POST', '/api/v1/locks/release-preview', {
      token: null,
      body: { filter: {} },
    });
    expect(act.status).toBe(401);
  });

  it('anyone may ask whether it lives', async () => {
    const health = await at.console.request('GET', '/api/health', { token: null });
    expect(health).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await at.console.request('GET', '/api/ready', { token: null })).status).toBe(200);
  });

  it('no GET releases', async () => {
    await at.client.set('lock:get', 'A', 'PX', HOLD_MS);
    const lock = await heldBy('lock:get', 'A');
    const path = `/api/v1/locks/${encodeURIComponent(lock.target)}/0/${lock.keyB64}/release`;
    const answer = await at.console.request(
      'GET',
      `${path}?version=${lock.hold?.version}&reason=no`,
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await at.client.get('lock:get')).toBe('A');
  });

  it('errors have a code and a sentence', async () => {
    const answer = await at.console.request('GET', '/api/v1/locks?limit=many');
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ error: { code: 'INVALID_INPUT' } });
    const missing = await at.console.detail('lock:never-seen');
    expect(missing).toBeUndefined();
  });
});

describe('releasing many', () => {
  it('shows exactly the list first, and answers for each', async () => {
    for (const n of [1, 2, 3]) await at.client.set(`lock:many:${n}`, `t${n}`, 'PX', HOLD_MS);
    const preview = await until('all three are listed', async () => {
      const answer = await at.console.request<{
        items: Pick<Lock, 'target' | 'db' | 'keyB64' | 'hold'>[];
      }>('POST', '/api/v1/locks/release-preview', { body: { filter: { q: 'lock:many:' } } });
      expect(answer.status).toBe(200);
      const { items } = answer.body;
      return items.length === 3 && items.every(({ hold }) => hold?.owner.id)
        ? answer.body
        : undefined;
    });
    await at.client.set('lock:many:2', 'other', 'PX', HOLD_MS);
    const items = preview.items.map(({ target, db, keyB64, hold }) => ({
      target,
      db,
      keyB64,
      version: hold?.version,
    }));
    await heldBy('lock:many:2', 'other');
    const answer = await at.console.request<{ results: { outcome: string }[] }>(
      'POST',
      '/api/v1/locks/release-many',
      { body: { items, reason: 'clean up' } },
    );
    expect(answer.status).toBe(200);
    const outcomes = answer.body.results.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['refused', 'released', 'released']);
    expect(await at.client.get('lock:many:2')).toBe('other');
  });
});
