import { expect, it } from 'vitest';
import { until } from '@/test/support/until';
import { go } from '@/test/interop/go/ecosystem';
import { describeLibrary } from '@/test/interop/suite';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(go);

const COMMON = {
  library: 'bsm-redislock',
  format: { id: 'bsm-redislock', certain: true },
  kind: 'mutex',
  leaseMs: 20_000,
  extends: true,
  waits: { pollMs: 100, sources: ['poll', 'idle-time'], count: null, touches: true },
  release: { oldHolder: 'error' },
} as const;

describeLibrary(world, { ...COMMON, title: 'bsm/redislock' });

it('what the application says of itself is shown as such', async () => {
  const name = 'it:bsm-redislock:metadata';
  const client = world.peer.client('bsm-redislock', 'metadata');
  const metadata = 'worker-7.example.org';
  const { value } = await client.ask('acquire', name, { leaseMs: 20_000, metadata });
  expect(value['metadata']).toBe(metadata);
  const lock = await world.console.heldBy(name, value.owner ?? '');
  expect(lock).toMatchObject({ format: 'bsm-redislock', hold: { owner: { app: metadata } } });
  await client.ask('release', name);
});

it('taken again with its own token it stays one hold that was renewed', async () => {
  const name = 'it:bsm-redislock:again';
  const client = world.peer.client('bsm-redislock', 'again');
  const token = 'Zm9yIHRoZSBzYW1lIGpvYg';
  const options = { leaseMs: 20_000, token };
  await client.ask('acquire', name, options);
  const lock = await world.console.heldBy(name, token);
  await client.ask('acquire', name, options);
  const again = await until('it is renewed', async () => {
    const found = await world.console.detail(name);
    return found?.hold?.renewals === 1 ? found : undefined;
  });
  expect(again).toMatchObject({
    acquisitions: 1,
    hold: { generation: lock.hold?.generation, owner: { id: token } },
  });
  await client.ask('release', name);
});

/**
 * Version 0.10, which locks several keys with one value, is not to be had from the Go module proxy beside 0.9;
 * the commands of its scripts.
 */
const OBTAIN = `
if redis.call('MSETNX', KEYS[1], ARGV[1], KEYS[2], ARGV[1]) ~= 1 then return redis.error_reply('taken') end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[2]) end
return redis.status_reply('OK')`;
const RELEASE = `
for _, key in ipairs(KEYS) do if redis.call('GET', key) ~= ARGV[1] then return 0 end end
return redis.call('DEL', unpack(KEYS))`;

it('of a lock over several keys (0.10, replayed) each is shown and must be released', async () => {
  const names = ['it:bsm-several:1', 'it:bsm-several:2'] as const;
  const value = 'c2V2ZXJhbCBrZXlzIGhlcg';
  await world.client.eval(OBTAIN, 2, ...names, value, 20_000);
  const [first, second] = await Promise.all(
    names.map(async (name) => await world.console.heldBy(name, value)),
  );
  expect(first?.library.releaseNotes).toContain('several-keys');
  const reason = 'all keys of it';
  await world.console.release(names[0], { version: first?.hold?.version, reason });
  expect(await world.client.eval(RELEASE, 2, ...names, value)).toBe(0);
  const answer = await world.console.release(names[1], { version: second?.hold?.version, reason });
  expect(answer.body).toMatchObject({ outcome: 'released' });
  expect(await world.client.exists(...names)).toBe(0);
});
