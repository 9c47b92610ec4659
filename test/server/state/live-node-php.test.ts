import { describe, expect, it } from 'vitest';
import { until } from '@/test/support/until';
import { startLive, type Live } from './live-redis';

const READER = Buffer.alloc(32, 7).toString('base64');
const SECOND = Buffer.alloc(32, 8).toString('base64');
const WRITER = Buffer.alloc(32, 9).toString('base64');

/** What Symfony's store does: save and at once refresh, as a writer or as a reader. */
async function symfonySave(
  { redis }: Live,
  key: string,
  { token, ttlMs, writes }: { token: string; ttlMs: number; writes: boolean },
): Promise<void> {
  const lua = `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
    redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
    if ARGV[3] == '1' then redis.call('ZADD', KEYS[1], now + ARGV[2], '__write__') end
    redis.call('PEXPIREAT', KEYS[1], redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])`;
  for (let i = 0; i < 2; i++) {
    await redis.eval(lua, 1, key, token, `${ttlMs}`, writes ? '1' : '0');
  }
}

describe('a lock of Symfony', () => {
  it('is held by its readers, each until its own time, and by the writer alone', async () => {
    const live = await startLive('KEAn', true);
    const key = 'invoice:7';
    await symfonySave(live, key, { token: READER, ttlMs: 60_000, writes: false });
    await symfonySave(live, key, { token: SECOND, ttlMs: 30_000, writes: false });
    await until('both are inside', () => live.lock(key)?.members.length === 2);
    const lock = live.lock(key);
    expect(lock).toMatchObject({ state: 'held', format: { id: 'symfony' } });
    const byId = new Map(lock?.members.map((member) => [member.id, member]));
    expect(byId.get(READER)).toMatchObject({ role: 'reader', stale: false });
    const deadlines = [byId.get(READER)?.deadline ?? 0, byId.get(SECOND)?.deadline ?? 0];
    expect(deadlines[0] ?? 0).toBeGreaterThan((deadlines[1] ?? 0) + 20_000);
    expect(lock?.hold?.renewals).toBe(0);
    await live.redis.zrem(key, READER, SECOND);
    await until('it is free', () => live.lock(key)?.state === 'free');
    expect(live.lock(key)?.ended[0]?.endReason).toBe('released');

    await symfonySave(live, key, { token: WRITER, ttlMs: 60_000, writes: true });
    await until('the writer is named', () => live.lock(key)?.hold?.owner?.id === WRITER);
    expect(live.lock(key)?.members).toMatchObject([{ id: WRITER, role: 'writer' }]);
  });
});

describe('a conversation of the chat adapter', () => {
  it('is waited for by the messages beside it, as far as their number goes', async () => {
    const live = await startLive();
    const key = 'chat-sdk:lock:slack:C1';
    await live.redis.set(key, `redis_${Date.now()}_k3x9q0ab1c`, 'PX', 60_000);
    await until('it is held', () => live.lock(key)?.hold?.token !== null && live.lock(key)?.hold);
    await live.redis.rpush('chat-sdk:queue:slack:C1', '{"text":"secret"}', '{"text":"b"}');
    await until('two wait', () => live.lock(key)?.queue.length === 2);
    expect(JSON.stringify(live.lock(key)?.queue)).not.toContain('secret');
    await live.redis.lpop('chat-sdk:queue:slack:C1');
    await until('one waits', () => live.lock(key)?.queue.length === 1);
  });
});

describe('a lock whose token fits several libraries', () => {
  it('is named by how it is renewed', async () => {
    const live = await startLive('KEAn', true);
    const token = '0123456789abcdef0123456789abcdef';
    await live.redis.set('res', token, 'PX', 60_000, 'NX');
    await until('it is held', () => live.lock('res')?.format.id === 'redlock');
    await live.redis.pexpire('res', 60_000);
    await live.redis.pexpire('res', 61_000);
    await until('it is known', () => live.lock('res')?.format.id === 'redlock-universal');
  });
});
