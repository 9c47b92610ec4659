import { describe, expect, it } from 'vitest';
import { aClassifier, BEGAN, deedsOf, heldBefore, monitorLine, type Step } from './lines';

describe('a SET NX', () => {
  it('fails on a lock that was held before the trace began', () => {
    const locks = { a: heldBefore('tok1') };
    expect(deedsOf(['set a tok2 NX PX 60000', 'SETNX a tok3'], { locks })).toEqual([
      'a failed',
      'a failed',
    ]);
  });

  it('takes a free lock, and then fails until it is given back', () => {
    const steps = [
      'set a one PX 60000 NX',
      'set a two NX EX 60',
      'del a',
      'set a two nx px 60000',
      'set a one NX PX 60000',
    ];
    expect(deedsOf(steps)).toEqual(['a took?', 'a failed', 'a released', 'a took', 'a failed']);
  });

  it('takes a lock whose lease has ended, whether it was renewed or not', () => {
    const locks = { a: heldBefore('tok', { deadline: BEGAN + 1 }) };
    expect(deedsOf(['get a', 'get a', 'get a', 'set a next NX PX 9'], { locks })).toContain(
      'a took',
    );
    const renewed = ['pexpire a 60000', 'get a', 'get a', 'set a next NX PX 9'];
    expect(deedsOf(renewed, { locks })).toContain('a failed');
  });

  it('is the one that began a hold which the table already knows', () => {
    const young = { since: BEGAN + 5 };
    expect(deedsOf(['set a own NX'], { locks: { a: heldBefore('own', young) } })).toEqual([
      'a took?',
    ]);
    expect(deedsOf(['set a other NX'], { locks: { a: heldBefore('own', young) } })).toEqual([
      'a failed?',
    ]);
  });

  it('fails by inference on a hold that was only found later', () => {
    const found = heldBefore('tok', { since: BEGAN + 5, isSinceSeen: false });
    expect(deedsOf(['set a tok NX'], { locks: { a: found } })).toEqual(['a failed?']);
  });

  it('on several keys at once is told of each', () => {
    expect(deedsOf(['msetnx a tok b tok'], { locks: { a: heldBefore('x') } })).toEqual([
      'a failed',
      'b took?',
    ]);
  });
});

describe('other commands', () => {
  it('renew, give back, look and write over', () => {
    const locks = { a: heldBefore('A'), h: heldBefore(null) };
    const steps = [
      'set a A PX 1000',
      'set a B PX 1000',
      'set a B XX PX 1000',
      'expire a 30',
      'get a',
      'pttl a',
      'hincrby h owner:1 1',
      'hincrby h owner:1 -1',
      'unlink a',
    ];
    expect(deedsOf(steps, { locks })).toEqual([
      ...['a renewed', 'a took', 'a renewed', 'a renewed', 'a looked', 'a looked'],
      ...['h took', 'h released', 'a released'],
    ]);
  });

  it('that name no lock, or are unknown, tell nothing', () => {
    const lines = ['ping', 'auth default secret', 'config set requirepass x', 'publish a 0'];
    expect(deedsOf(lines)).toEqual([]);
  });

  it('that flush leave nothing to rely on', () => {
    const locks = { a: heldBefore('A') };
    const steps = ['set a B NX', 'del a', 'set a C NX', 'flushall', 'set a D NX'];
    expect(deedsOf(steps, { locks }).at(-1)).toBe('a failed');
    expect(deedsOf(steps).at(-1)).toBe('a took?');
  });

  it('of the console itself are left out, with what their scripts do', () => {
    const { classifier, seen } = aClassifier({ own: ['9.9.9.9:9'] });
    const from = '9.9.9.9:9';
    classifier.line(monitorLine(['eval', 'x', '1', 'a'], { from }));
    classifier.line(monitorLine(['exists', 'a'], { from: 'lua' }));
    classifier.line(monitorLine(['set', 'a', 'b', 'NX'], { from }));
    classifier.flush();
    expect([seen, classifier.commands]).toEqual([[], 0]);
  });

  it('make no line throw, whatever is in it', () => {
    const { classifier } = aClassifier({});
    const names = ['set', 'setex', 'msetnx', 'hincrby', 'object', 'eval', 'blpop', 'expire', '"'];
    for (const name of names) {
      for (let words = 0; words < 4; words++) {
        classifier.line(monitorLine([name, ...Array.from({ length: words }, () => '\x00"\\')]));
        classifier.line(monitorLine([name], { from: 'lua' }));
      }
    }
    for (const line of ['', '[', 'x'.repeat(100_000)]) classifier.line(line);
    expect(classifier.unread).toBe(3);
  });
});

const evalOf = (lua: string, inside: readonly string[]): Step => ({
  call: ['eval', lua, '1', 'a', 'x'],
  inside,
});
const shaOf = (sha: string, inside: readonly string[]): Step => ({
  call: ['evalsha', sha, '1', 'a', 'x'],
  inside,
});

describe('redlock 5', () => {
  const ACQUIRE = `if redis.call("exists", key) == 1 then return 0 end redis.call("set", key, v, "PX", d)`;
  const EXTEND = `if redis.call("get", key) ~= v then return 0 end redis.call("set", key, v, "PX", d)`;
  const RELEASE = `if redis.call("get", key) == v then redis.pcall("del", key) end`;

  it('fails when it only asks whether the key exists', () => {
    expect(deedsOf([evalOf(ACQUIRE, ['exists a'])])).toEqual(['a failed']);
    expect(deedsOf([shaOf('s1', ['exists a'])])).toEqual(['a failed?']);
    const learnt = [shaOf('s1', ['exists a', 'set a A PX 9000']), shaOf('s1', ['exists a'])];
    expect(deedsOf(learnt)).toEqual(['a took?', 'a failed']);
  });

  it('renews and gives back, and looks where it is not the holder any more', () => {
    const locks = { a: heldBefore('A') };
    expect(
      deedsOf(
        [
          shaOf('ext', ['get a', 'set a A PX 1000']),
          shaOf('ext', ['get a']),
          evalOf(RELEASE, ['get a']),
          evalOf(RELEASE, ['get a', 'del a']),
        ],
        { locks },
      ),
    ).toEqual(['a renewed', 'a looked', 'a looked', 'a released']);
    expect(deedsOf([evalOf(EXTEND, ['get a', 'set a A PX 1000'])], { locks })).toEqual([
      'a renewed',
    ]);
  });
});

describe('Redisson', () => {
  const OWNER = 'b983c153-7421-469a-addb-44fb92259a1b:1';
  const LOCK = `if (redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end return redis.call('pttl', KEYS[1])`;
  const RENEW = `if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then redis.call('pexpire', KEYS[1], ARGV[1]) return 1 end return 0`;
  const UNLOCK = `if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil end local c = redis.call('hincrby', KEYS[1], ARGV[3], -1) if (c > 0) then redis.call('pexpire', KEYS[1], ARGV[2]) else redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], ARGV[1]) end`;

  it('fails when it ends by asking for the remaining time, and then listens', () => {
    const steps: Step[] = [
      evalOf(LOCK, ['exists a', `hincrby a ${OWNER} 1`, 'pexpire a 30000']),
      evalOf(LOCK, ['exists a', 'hexists a other:2', 'pttl a']),
      'subscribe redisson_lock__channel:{a}',
      evalOf(RENEW, [`hexists a ${OWNER}`, 'pexpire a 30000']),
      evalOf(RENEW, ['hexists a other:2']),
      evalOf(UNLOCK, [`hexists a ${OWNER}`, `hincrby a ${OWNER} -1`, 'del a', 'publish c 0']),
      evalOf(UNLOCK, ['hexists a other:2']),
    ];
    expect(deedsOf(steps, { channels: { 'redisson_lock__channel:{a}': 'a' } })).toEqual([
      ...['a took', 'a failed', 'a waits', 'a renewed', 'a looked', 'a released', 'a looked'],
    ]);
  });

  it('fails when it joins the queue of a fair lock', () => {
    const sides = { 'redisson_lock_queue:{a}': 'a', 'redisson_lock_timeout:{a}': 'a' };
    const join = shaOf('fair', [
      'lindex redisson_lock_queue:{a} 0',
      'exists a',
      'hexists a other:2',
      'pttl a',
      'zadd redisson_lock_timeout:{a} 5 other:2',
      'rpush redisson_lock_queue:{a} other:2',
    ]);
    expect(deedsOf([join], { sides })).toEqual(['a failed']);
  });
});

describe('other libraries', () => {
  it('python-redis-lock fails by SET NX and then blocks on its signal', () => {
    const steps = ['set lock:j id NX EX 60', 'blpop lock-signal:j 60'];
    const options = {
      locks: { 'lock:j': heldBefore('other') },
      sides: { 'lock-signal:j': 'lock:j' },
    };
    expect(deedsOf(steps, options)).toEqual(['lock:j failed', 'lock:j waits']);
  });

  it('Spring fails by reading the key in the script that would take it', () => {
    const obtain = `local id = redis.call('GET', KEYS[1]) if id == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return true elseif not id then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return true end return false`;
    const took = evalOf(obtain, ['GET a', 'SET a A PX 60000']);
    const failed = evalOf(obtain, ['GET a']);
    expect(deedsOf([failed, took, failed])).toEqual(['a failed?', 'a took?', 'a failed']);
  });

  it('a semaphore fails by counting its members', () => {
    const acquire = `redis.call('zremrangebyscore', key, '-inf', e) if redis.call('zcard', key) < limit then redis.call('zadd', key, now, id) redis.call('pexpire', key, ms) return 1 else return 0 end`;
    const refresh = shaOf('refresh', ['zscore a id', 'zadd a 5 id', 'pexpire a 1000']);
    expect(
      deedsOf([
        evalOf(acquire, ['zremrangebyscore a -inf 1', 'zcard a', 'zadd a 1 id', 'pexpire a 9']),
        evalOf(acquire, ['zremrangebyscore a -inf 1', 'zcard a']),
        refresh,
        'zrem a id',
      ]),
    ).toEqual(['a took', 'a failed', 'a renewed', 'a released']);
  });

  it('redislock takes all keys or none', () => {
    const locks = { a: heldBefore('x') };
    expect(deedsOf([shaOf('obtain', ['msetnx a tok'])], { locks })).toEqual(['a failed']);
    expect(deedsOf([shaOf('obtain', ['msetnx a tok', 'pexpire a 9000'])])).toEqual(['a took']);
  });

  it('redis-py gives back, and looks where it is not its own', () => {
    const release = `local token = redis.call('get', KEYS[1]) if not token or token ~= ARGV[1] then return 0 end redis.call('del', KEYS[1]) return 1`;
    expect(deedsOf([evalOf(release, ['get a']), evalOf(release, ['get a', 'del a'])])).toEqual([
      'a looked',
      'a released',
    ]);
  });

  it('a script that may not write only looks, and one that is not known fails nothing', () => {
    expect(deedsOf([{ call: ['evalsha_ro', 's', '1', 'a'], inside: ['exists a'] }])).toEqual([
      'a looked',
    ]);
    expect(deedsOf([shaOf('unknown', [])])).toEqual([]);
    expect(deedsOf([{ call: ['fcall', 'f', '1', 'a'], inside: ['get a'] }])).toEqual(['a looked']);
  });
});
