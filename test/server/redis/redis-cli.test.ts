import { expect, it } from 'vitest';
import { redisCliAt, redisCliOfReplica } from '@/server/redis/redis-cli';

it.each([
  ['redis://10.0.0.7:6380/2', 'redis-cli -h 10.0.0.7 -p 6380'],
  ['redis://cache', 'redis-cli -h cache -p 6379'],
  ['redis://[2001:db8::1]:6379', 'redis-cli -h 2001:db8::1 -p 6379'],
  ['rediss://ops:secret@cache.example.org:6390', 'redis-cli -h cache.example.org -p 6390 --tls'],
  ['/run/redis dir/redis.sock', "redis-cli -s '/run/redis dir/redis.sock'"],
  ['/run/redis.sock?db=3', 'redis-cli -s /run/redis.sock'],
  ['unix:///run/redis%20dir/redis.sock', "redis-cli -s '/run/redis dir/redis.sock'"],
])('a command to paste names the server of %s and tells no secret', (url, cli) => {
  expect(redisCliAt(url)).toBe(cli);
  expect(redisCliAt(url)).not.toMatch(/secret|ops/);
});

it('a command to paste names a replica, which is reached as its primary is', () => {
  const replica = { host: 'fe80::2', port: '6381' };
  expect(redisCliOfReplica('redis://:secret@a:1', replica)).toBe('redis-cli -h fe80::2 -p 6381');
  expect(redisCliOfReplica('rediss://a:1', replica)).toBe('redis-cli -h fe80::2 -p 6381 --tls');
  const hostile = { host: "a'; reboot", port: '$(id)' };
  expect(redisCliOfReplica('redis://a:1', hostile)).toBe("redis-cli -h $'a\\'; reboot' -p '$(id)'");
});
