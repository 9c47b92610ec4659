import { afterEach, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import type { Trace } from '@/lib/protocol/trace';
import { alertsAbout, firing } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis();

let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

/** Starts a trace as an administrator of the console would by HTTP; its id. */
async function start(seconds: number): Promise<string> {
  const [target] = await at.console.query('targets');
  const body = { target: target?.id, seconds, reason: 'who tries' };
  const answer = await at.console.request<{ id: string }>('POST', '/api/v1/traces', { body });
  expect(answer.status).toBe(202);
  return answer.body.id;
}

const trace = (id: string): Promise<Trace> => at.console.get<Trace>(`/traces/${id}`);

const isTooBusy = ({ stoppedBecause }: Trace): boolean =>
  stoppedBecause === 'console-slow' || stoppedBecause === 'redis-slow';

describe('contention that leaves no trace in Redis', () => {
  it('is not said to be zero, and is counted while a trace runs', async () => {
    await at.client.set('lock:a', 'tok1', 'PX', 600_000, 'NX');
    const before = await at.console.heldBy('lock:a', 'tok1');
    expect(before.waiting).toMatchObject({ evidence: 'unknown', count: null });
    const other = at.redis.client();
    // One ends itself early where the machine is too busy for it.
    const ended = await until('a trace has run its time', async () => {
      const id = await start(5);
      for (let i = 0; i < 10; i++) {
        expect(await other.set('lock:a', 'tok2', 'PX', 600_000, 'NX')).toBeNull();
      }
      const over = await until('the trace is over', async () => {
        const now = await trace(id);
        return now.state === 'running' ? null : now;
      });
      return isTooBusy(over) ? null : over;
    });
    expect(ended).toMatchObject({ state: 'done', attempts: 10, failed: 10, evidence: 'observed' });
    expect(ended.keys).toMatchObject([{ key: 'lock:a', failed: 10, clientCount: 1 }]);
    expect(ended.clients).toMatchObject([{ failed: 10, keys: 1 }]);
    const after = await at.console.detail('lock:a');
    expect(after?.sampled).toMatchObject({ attempts: 10, failed: 10, clients: 1 });
    expect(after).toMatchObject({ acquisitions: 1, waiting: { count: null } });
    expect(after?.hold?.owner.id).toBe('tok1');
  });

  it('is a storm of a client without a pause, and none of those that wait as they should', async () => {
    for (const key of ['lock:stormed', 'lock:polled']) {
      await at.client.set(key, 'tok1', 'PX', 600_000, 'NX');
      await at.console.heldBy(key, 'tok1');
    }
    let id = await start(30);
    const polite = at.redis.client();
    const polls = setInterval(() => void polite.set('lock:polled', 'p', 'PX', 60_000, 'NX'), 100);
    const eager = at.redis.client();
    const told = async (code: 'retry-storm' | 'hot-client') => {
      const open = (await at.console.alerts(code)).filter(({ state }) => state === 'firing');
      return open.length > 0 ? open : null;
    };
    const both = await until(
      'both are told',
      async () => {
        const attempts = Array.from({ length: 200 }, () =>
          eager.set('lock:stormed', 'x', 'PX', 60_000, 'NX'),
        );
        await Promise.all(attempts);
        const now = await trace(id);
        const seen = now.keys.some(({ key }) => key === 'lock:polled');
        if (now.state !== 'running') id = await start(30);
        const [storms, clients] = [await told('retry-storm'), await told('hot-client')];
        return seen && storms && clients ? { storms, clients } : null;
      },
      90_000,
    );
    clearInterval(polls);
    await at.console.request('POST', `/api/v1/traces/${id}/stop`, { body: {} });
    expect(both.storms.map(({ subject }) => subject.label)).toEqual(['lock:stormed']);
    expect(both.storms[0]?.summary).toMatch(/^\d+ failed attempts from 1 client, up to \d+ in one/);
    expect(both.clients).toHaveLength(1);
    expect(both.clients[0]?.remedy).toContain('retry loop without a pause');
  });

  it('is asked for by one at a time, and the audit tells who asked', async () => {
    const stop = (id: string) =>
      at.console.request<Trace>('POST', `/api/v1/traces/${id}/stop`, { body: {} });
    const { id, second } = await until('a trace runs while another is asked for', async () => {
      const running = await start(30);
      const body = { target: (await trace(running)).target, seconds: 1 };
      const answer = await at.console.request<{ id: string }>('POST', '/api/v1/traces', { body });
      if (!isTooBusy(await trace(running))) return { id: running, second: answer };
      if (answer.status === 202) await stop(answer.body.id);
      return null;
    });
    expect(second).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { running: id } } },
    });
    expect(await stop(id)).toMatchObject({ status: 200, body: { state: 'stopped' } });
    const { items } = await at.console.query('audit', {});
    expect(items.slice(0, 2)).toMatchObject([
      { action: 'trace.stop', outcome: 'done' },
      { action: 'trace.stop', outcome: 'requested' },
    ]);
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'trace.start', outcome: 'refused', code: 'CONFLICT' }),
    );
  });

  it('is told no more once the console stops, and Redis neither', async () => {
    const id = await start(30);
    expect((await trace(id)).state).toBe('running');
    expect((await at.console.terminate()).code).toBe(0);
    const clients = String(await at.client.call('CLIENT', 'LIST'));
    expect(clients).not.toContain('cmd=monitor');
    await at.console.restart();
    expect((await at.console.request('GET', `/api/v1/traces/${id}`)).status).toBe(404);
  });
});

describe('attempts beyond the limit of a client of ours', () => {
  it('are a storm that the client tells of, and not attempts that fail within it', async () => {
    const clientWith = (limits?: { attemptsPerSecond: number }): LockClient => {
      const client = createLockClient({
        redis: at.redis.client(),
        allowInsecure: true,
        ...(limits && { limits }),
      });
      stops.push(() => client.close());
      return client;
    };
    const [holder, patient, eager] = [
      clientWith(),
      clientWith(),
      clientWith({ attemptsPerSecond: 5 }),
    ];
    for (const name of ['tried', 'stormed']) await holder.mutex(name).acquire();
    for (let i = 0; i < 30; i++) expect(await patient.mutex('tried').tryAcquire()).toBeNull();
    const refused = await until('the limit is reached', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => eager.mutex('stormed').tryAcquire()),
      );
      return outcomes.some(({ status }) => status === 'rejected');
    });
    expect(refused).toBe(true);
    const alert = await firing(at.console, 'retry-storm', 'qoder:lock:stormed');
    expect(alert).toMatchObject({ severity: 'warning', evidence: 'observed' });
    expect(await alertsAbout(at.console, 'retry-storm', 'qoder:lock:tried')).toEqual([]);
  });
});
