import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '@/lib/protocol/audit';
import { runAction } from '@/server/actions/run-action';
import type { QueryContext } from '@/server/queries/query-context';
import { addressOf, startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

const HOLDER = 'b983c153-7421-469a-addb-44fb92259a1b:1';
const reason = 'the holder crashed';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
});

async function auditOf(key: string): Promise<AuditEntry[]> {
  const { items } = await server.context.store.audit({ limit: 50, key });
  return items;
}

/** A clock that stands: what is watched for is watched for until it comes, however late the machine is. */
function withStandingClock(context: QueryContext): QueryContext {
  const at = context.now();
  return { ...context, now: () => at };
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code ?? error,
  );

describe('a forced release', () => {
  it('deletes the key, ends the hold as force-released and is audited before and after', async () => {
    await server.client.set('lock:a', 'tok', 'PX', 60_000);
    const lock = await server.lock('lock:a');
    const input = { ...addressOf('lock:a'), version: lock.hold?.version, reason, businessId: 'B7' };
    const result = await runAction(server.as('operator'), 'lock.release', input);
    expect(result).toMatchObject({ outcome: 'released', wokeWaiters: null, cameBack: false });
    expect(await server.client.exists('lock:a')).toBe(0);

    const after = await server.lock('lock:a', ({ state }) => state === 'free');
    expect(after.lastEnd).toMatchObject({ reason: 'force-released', owner: 'tok' });
    expect(after.holds[0]).toMatchObject({ endedBy: 'operator@example.org' });
    const [done, requested] = await auditOf('lock:a');
    expect(requested).toMatchObject({ outcome: 'requested', action: 'lock.release', reason });
    expect(done).toMatchObject({
      outcome: 'done',
      actor: 'operator@example.org',
      businessId: 'B7',
    });
    expect(done?.requestId).toBe(requested?.requestId);
    expect(done?.before).toMatchObject({ state: 'held', hold: { owner: { id: 'tok' } } });
    expect(done?.after).toMatchObject({ state: 'free' });
  });

  it('wakes the clients that wait for a Redisson lock', async () => {
    const received: string[] = [];
    const subscribers = [server.redis.client(), server.redis.client()];
    for (const subscriber of subscribers) {
      await subscriber.subscribe('redisson_lock__channel:{inv:9}');
      subscriber.on('message', (_channel, message) => received.push(message));
    }
    await server.client.hset('inv:9', HOLDER, 1);
    await server.client.pexpire('inv:9', 30_000);
    const { hold } = await server.lock('inv:9');
    const input = { ...addressOf('inv:9'), version: hold?.version, reason };
    const result = await runAction(server.as('operator'), 'lock.release', input);
    expect(result).toMatchObject({ wokeWaiters: 2 });
    await until('both were woken', () => received.length === 2);
    expect(received).toEqual(['0', '0']);
    for (const subscriber of subscribers) subscriber.disconnect();
  });

  it('leaves a lock alone that another holds by now, and says who', async () => {
    await server.client.hset('inv:10', HOLDER, 1);
    const { hold } = await server.lock('inv:10');
    const other = HOLDER.replace(':1', ':2');
    await server.client.multi().del('inv:10').hset('inv:10', other, 1).exec();
    const input = { ...addressOf('inv:10'), version: hold?.version, reason };
    const refused = runAction(server.as('operator'), 'lock.release', input);
    await expect(refused).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { holder: other, since: expect.any(Number) },
    });
    expect(await server.client.hgetall('inv:10')).toEqual({ [other]: '1' });
    const [last] = await auditOf('inv:10');
    expect(last).toMatchObject({ outcome: 'refused', code: 'CONFLICT', after: { holder: other } });
  });

  it('says when somebody else takes it', async () => {
    await server.client.set('lock:next', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:next');
    const input = { ...addressOf('lock:next'), version: hold?.version, reason };
    const running = runAction(withStandingClock(server.as('operator')), 'lock.release', input);
    await until('it is gone', async () => (await server.client.exists('lock:next')) === 0);
    await server.client.set('lock:next', 'another', 'PX', 60_000);
    expect(await running).toMatchObject({ cameBack: false, takenByNext: true });
  });

  it('says when the holder comes back', async () => {
    await server.client.set('lock:zombie', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:zombie');
    const input = { ...addressOf('lock:zombie'), version: hold?.version, reason };
    const running = runAction(withStandingClock(server.as('operator')), 'lock.release', input);
    await until('it is gone', async () => (await server.client.exists('lock:zombie')) === 0);
    await server.client.set('lock:zombie', 'tok', 'PX', 60_000);
    expect(await running).toMatchObject({ outcome: 'released', cameBack: true });
    await until('it is an alert', () =>
      server.context.alerts.open().find(({ code }) => code === 'came-back'),
    );
  });

  it('reaches keys of any bytes', async () => {
    const key = `lock:\0\xff\r\n"'<b>${'x'.repeat(3000)}`;
    await server.client.set(Buffer.from(key, 'latin1'), 'tok', 'PX', 60_000);
    const { hold } = await server.lock(key);
    const input = { ...addressOf(key), version: hold?.version, reason };
    await runAction(server.as('operator'), 'lock.release', input);
    expect(await server.client.exists(Buffer.from(key, 'latin1'))).toBe(0);
  });

  it('needs the role operator; the attempt is recorded', async () => {
    await server.client.set('lock:b', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:b');
    const input = { ...addressOf('lock:b'), version: hold?.version, reason };
    expect(await codeOf(runAction(server.as('viewer'), 'lock.release', input))).toBe('FORBIDDEN');
    expect(await server.client.get('lock:b')).toBe('tok');
    expect(await auditOf('lock:b')).toMatchObject([{ outcome: 'refused', code: 'FORBIDDEN' }]);
  });

  it('keeps to the namespaces of its actor', async () => {
    await server.client.set('lock:orders:1', 'tok', 'PX', 60_000);
    const { hold, namespace } = await server.lock('lock:orders:1');
    const input = { ...addressOf('lock:orders:1'), version: hold?.version, reason };
    const foreign = server.as('operator', { namespaces: ['elsewhere'] });
    expect(await codeOf(runAction(foreign, 'lock.release', input))).toBe('FORBIDDEN');
    const own = server.as('operator', { namespaces: [namespace] });
    await expect(runAction(own, 'lock.release', input)).resolves.toMatchObject({
      outcome: 'released',
      cameBack: false,
    });
    expect(await server.client.exists('lock:orders:1')).toBe(0);
  });

  it('needs a reason, before anything is recorded', async () => {
    await server.client.set('lock:c', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:c');
    const input = { ...addressOf('lock:c'), version: hold?.version, reason: ' ' };
    const refused = runAction(server.as('operator'), 'lock.release', input);
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'reason' },
    });
    expect(await auditOf('lock:c')).toEqual([]);
  });

  it('records a lock that nobody knows as refused', async () => {
    const input = { ...addressOf('lock:nobody'), version: '1.x', reason };
    expect(await codeOf(runAction(server.as('operator'), 'lock.release', input))).toBe('NOT_FOUND');
    expect(await auditOf('lock:nobody')).toMatchObject([
      { outcome: 'refused', code: 'NOT_FOUND' },
      { outcome: 'requested' },
    ]);
  });

  it('refuses locks whose library does it better', async () => {
    await server.client.set('bull:mail:7:lock', `${HOLDER.slice(0, -2)}:3`, 'PX', 60_000);
    const { hold } = await server.lock('bull:mail:7:lock');
    const input = { ...addressOf('bull:mail:7:lock'), version: hold?.version, reason };
    expect(await codeOf(runAction(server.as('operator'), 'lock.release', input))).toBe(
      'READ_ONLY_FORMAT',
    );
  });

  it('refuses a value that was too large to be read whole', async () => {
    await server.client.set('lock:large', 'x'.repeat(100_000), 'PX', 60_000);
    const { hold } = await server.lock('lock:large');
    const input = { ...addressOf('lock:large'), version: hold?.version, reason };
    expect(await codeOf(runAction(server.as('operator'), 'lock.release', input))).toBe('TOO_MANY');
    expect(await server.client.exists('lock:large')).toBe(1);
  });
});

describe('a bulk release', () => {
  it('previews exactly what it would release, and why it leaves out the rest', async () => {
    await server.client.set('lock:bulk:1', 'a', 'PX', 60_000);
    await server.client.set('bull:bulk:1:lock', `${HOLDER.slice(0, -2)}:3`, 'PX', 60_000);
    await server.lock('lock:bulk:1');
    await server.lock('bull:bulk:1:lock');
    const before = await server.context.store.audit({ limit: 1 });
    const preview = await runAction(server.as('operator'), 'lock.release-preview', {
      filter: { q: 'BULK', state: 'held' },
    });
    expect(preview).toMatchObject({
      total: 1,
      items: [{ key: 'lock:bulk:1' }],
      excluded: [{ key: 'bull:bulk:1:lock', because: expect.stringContaining('BullMQ') }],
    });
    expect(await server.context.store.audit({ limit: 1 })).toEqual(before);
  });

  it('releases each item by itself and goes on after a refusal', async () => {
    await server.client.set('lock:many:1', 'a', 'PX', 60_000);
    await server.client.set('lock:many:2', 'b', 'PX', 60_000);
    const first = await server.lock('lock:many:1');
    await server.lock('lock:many:2');
    const result = await runAction(server.as('operator'), 'lock.release-many', {
      items: [
        { ...addressOf('lock:many:2'), version: 'old' },
        { ...addressOf('lock:many:1'), version: first.hold?.version },
      ],
      reason,
    });
    expect(result).toMatchObject({
      results: [{ outcome: 'refused', code: 'CONFLICT' }, { outcome: 'released' }],
    });
    expect(await server.client.mget('lock:many:1', 'lock:many:2')).toEqual([null, 'b']);
    expect(await auditOf('lock:many:2')).toMatchObject([
      { outcome: 'refused' },
      { outcome: 'requested' },
    ]);
  });
});

describe('dropping a waiter', () => {
  it('takes it out of the queue and wakes the next', async () => {
    const [dead, alive] = [HOLDER.replace(':1', ':7'), HOLDER.replace(':1', ':8')];
    const now = Date.now();
    await server.client
      .multi()
      .hset('inv:fair', HOLDER, 1)
      .pexpire('inv:fair', 60_000)
      .rpush('redisson_lock_queue:{inv:fair}', dead, alive)
      .zadd('redisson_lock_timeout:{inv:fair}', now + 60_000, dead, now + 90_000, alive)
      .exec();
    await server.lock('inv:fair', ({ waiters }) => waiters.length === 2);
    const input = { ...addressOf('inv:fair'), owner: dead, reason };
    const result = await runAction(server.as('operator'), 'lock.drop-waiter', input);
    expect(result).toEqual({ outcome: 'dropped', wokeNext: false });
    const after = await server.lock('inv:fair', ({ waiters }) => waiters.length === 1);
    expect(after.waiters[0]?.id).toBe(alive);
    expect(await codeOf(runAction(server.as('operator'), 'lock.drop-waiter', input))).toBe(
      'CONFLICT',
    );
  });
});

describe('an alert', () => {
  it('is acknowledged and silenced, saved and audited before it is answered', async () => {
    server.context.analysis.note({
      ...{ id: 'x', code: 'takeover', severity: 'critical', since: Date.now(), count: 1 },
      subject: { kind: 'target', label: 'main', locks: [], deadlockId: null },
      ...{ summary: [], remedy: [], evidence: 'observed', moment: true },
    });
    const alert = await until('the alert', () =>
      server.context.alerts.open().find(({ code }) => code === 'takeover'),
    );
    const operator = server.as('operator');
    const input = { id: alert.id, reason };
    expect(await runAction(operator, 'alert.acknowledge', input)).toMatchObject({
      alert: { state: 'acknowledged', acknowledgedBy: 'operator@example.org' },
    });
    const stored = await server.context.store.alerts({ state: 'acknowledged', limit: 10 });
    expect(stored.map(({ id }) => id)).toContain(alert.id);
    const past = { ...input, untilMs: 1 };
    expect(await codeOf(runAction(operator, 'alert.silence', past))).toBe('INVALID_INPUT');
    for (const tooFar of [Date.now() + 31 * 86_400_000, 9e15]) {
      const forEver = { ...input, untilMs: tooFar };
      expect(await codeOf(runAction(operator, 'alert.silence', forEver))).toBe('INVALID_INPUT');
    }
    const untilMs = Date.now() + 60_000;
    expect(await runAction(operator, 'alert.silence', { ...input, untilMs })).toMatchObject({
      alert: { state: 'silenced', silencedUntil: untilMs },
    });
    expect(await codeOf(runAction(operator, 'alert.silence', { id: 'none', reason }))).toBe(
      'NOT_FOUND',
    );
  });
});

describe('what may not happen', () => {
  it('is an act without an audit', async () => {
    await server.client.set('lock:noaudit', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:noaudit');
    const context = server.as('operator');
    const broken = { ...context.store, appendAudit: () => Promise.reject(new Error('disk full')) };
    const input = { ...addressOf('lock:noaudit'), version: hold?.version, reason };
    const refused = runAction({ ...context, store: broken }, 'lock.release', input);
    await expect(refused).rejects.toMatchObject({
      code: 'AUDIT_UNAVAILABLE',
      message: expect.stringContaining('disk full'),
    });
    expect(await server.client.get('lock:noaudit')).toBe('tok');
  });

  it('is an action nobody has heard of', async () => {
    expect(await codeOf(runAction(server.as('admin'), 'lock.explode', {}))).toBe('NOT_FOUND');
    expect(await codeOf(runAction(server.as('admin'), 'constructor', {}))).toBe('NOT_FOUND');
  });
});
