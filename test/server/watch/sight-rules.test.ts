import { describe, expect, it } from 'vitest';
import { createGapLog } from '@/server/watch/gap-log';
import { blindTo, judgeSight, missingClasses, NO_PROOF } from '@/server/watch/sight';
import {
  lessonOfReturn,
  reasonOfLoss,
  wasBehind,
  type BeforeLoss,
} from '@/server/watch/connection-loss';
import { createRotation } from '@/server/watch/rotation';
import { subscriptionTiers } from '@/server/watch/subscription';
import { createTasks } from '@/server/watch/tasks';

describe('what can be seen', () => {
  it('follows from the flags where there is no canary', () => {
    const sight = judgeSight({ canary: NO_PROOF, flags: 'Kg$x', mode: 'keyspace' });
    expect(sight.canSee).toEqual({ acquire: true, release: true, lapse: true, eviction: false });
    expect(sight.acquireOf).toEqual({ string: true, hash: false, zset: false });
    expect(blindTo(sight)).toContain('hash-acquires');
  });

  it('is nothing when events are carried in a way that is not subscribed', () => {
    const sight = judgeSight({ canary: NO_PROOF, flags: 'EA', mode: 'keyspace' });
    expect(sight.canSee).toEqual({ acquire: false, release: false, lapse: false, eviction: false });
    expect(missingClasses('EA', 'keyspace')).toEqual(['K']);
    expect(missingClasses('EA', 'keyevent')).toEqual([]);
  });

  it('is proven by the canary against the flags', () => {
    const canary = { string: true, hash: true, zset: true, release: true, lapse: false };
    expect(judgeSight({ canary, flags: 'KA', mode: 'keyspace' }).canSee.lapse).toBe(false);
  });
});

describe('ways to subscribe', () => {
  it('begin narrow and end with the patterns that an ACL can name', () => {
    const tiers = subscriptionTiers(['lock:*'], [3], null);
    expect(tiers.map(({ patterns }) => patterns[0])).toEqual([
      '__keyspace@3__:lock:*',
      '__keyspace@*__:*',
      '__keyevent@*__:*',
    ]);
    expect(subscriptionTiers(['lock:*'], [0, 5], 'KE')[0]?.patterns).toEqual([
      '__keyspace@*__:lock:*',
    ]);
    expect(subscriptionTiers(['lock:*'], [0], 'Ex')[0]?.mode).toBe('keyevent');
  });
});

const aLoss = (reason: BeforeLoss['reason'], cutClients: number | null): BeforeLoss => ({
  ...{ runId: 'a', cutClients, reason, wasBehind: false },
});

describe('the reason of a loss', () => {
  const signs = { dropReason: null, midFrame: false, waitingMs: 0, backlogBytes: 0 };

  it('is a cut buffer when Redis had more to send, and otherwise just a lost connection', () => {
    expect(reasonOfLoss(signs)).toBe('connection-lost');
    expect(reasonOfLoss({ ...signs, midFrame: true })).toBe('buffer-cut');
    expect(reasonOfLoss({ ...signs, backlogBytes: 500_000 })).toBe('buffer-cut');
    expect(reasonOfLoss({ ...signs, backlogBytes: 40_000 })).toBe('connection-lost');
    expect(reasonOfLoss({ ...signs, waitingMs: 2000 })).toBe('buffer-cut');
    expect(reasonOfLoss({ ...signs, midFrame: true, dropReason: 'canary-lost' })).toBe(
      'canary-lost',
    );
  });

  it('is corrected by what the server says on return', () => {
    const before = aLoss('connection-lost', 1);
    expect(lessonOfReturn(before, { runId: 'b', cutClients: 0 })).toMatchObject({
      reason: 'server-restarted',
      serverRestarted: true,
    });
    expect(lessonOfReturn({ ...before, runId: null }, before).serverRestarted).toBe(false);
  });

  it.each([
    ['connection-lost', 1, 2, 'perhaps-buffer-cut', 'somebody was cut, perhaps we'],
    ['canary-lost', 1, 2, 'perhaps-buffer-cut', 'we gave it up, perhaps after we were cut'],
    ['buffer-cut', 1, 2, undefined, 'it looked like it, and somebody was'],
    ['buffer-cut', 1, 1, 'connection-lost', 'it looked like it, and nobody was'],
    ['connection-lost', 1, 1, undefined, 'nobody was cut'],
    ['buffer-cut', null, null, undefined, 'this Redis does not count'],
    ['connection-lost', null, 3, undefined, 'it did not count before'],
    [null, 1, 2, undefined, 'no loss was seen'],
  ] as const)('%s with %s cut before and %s since is %s: %s', (reason, cut, since, told, _why) => {
    const before = aLoss(reason, cut);
    expect(lessonOfReturn(before, { runId: 'a', cutClients: since })).toEqual({
      reason: told,
      serverRestarted: false,
    });
  });
});

describe('a connection that was lost while nothing was read', () => {
  const before: BeforeLoss = { ...aLoss('connection-lost', 1), wasBehind: true };

  it('was cut where Redis counted a cut and we did not give it up, and is just lost where it did not', () => {
    expect(lessonOfReturn(before, { runId: 'a', cutClients: 2 }).reason).toBe('buffer-cut');
    expect(lessonOfReturn(before, { runId: 'a', cutClients: 1 }).reason).toBeUndefined();
    const dropped: BeforeLoss = { ...before, reason: 'canary-lost' };
    expect(lessonOfReturn(dropped, { runId: 'a', cutClients: 2 }).reason).toBe(
      'perhaps-buffer-cut',
    );
  });

  it('is one whose last answer is seconds old', () => {
    expect(wasBehind({ behindMs: 4000 })).toBe(true);
    expect(wasBehind({ behindMs: 1100 })).toBe(false);
  });
});

describe('the gap log', () => {
  it('keeps the last 200 gaps, one open at a time', () => {
    const log = createGapLog();
    for (let i = 0; i < 205; i++) {
      log.open(i, 'connection-lost');
      log.open(i + 0.5, 'canary-lost');
      expect(log.close(i + 1)).toEqual({ from: i, to: i + 1, reason: 'connection-lost' });
    }
    expect(log.close(999)).toBeNull();
    expect(log.all()).toHaveLength(200);
    log.open(300, 'buffer-cut');
    expect(log.all().at(-1)).toEqual({ from: 300, to: null, reason: 'buffer-cut' });
    expect(log.has('buffer-cut', 1_000)).toBe(true);
    expect(log.has('server-restarted', 0)).toBe(false);
  });
});

describe('the rotation', () => {
  it('reads every held lock once within sixteen steps, up to 20,000', () => {
    const refs = Array.from({ length: 19_999 }, (_, i) => ({ db: 0, key: `lock:${i}` }));
    const rotation = createRotation((limit) => refs.slice(0, limit));
    const seen = new Set<string>();
    for (let step = 0; step < 16; step++) for (const { key } of rotation.next()) seen.add(key);
    expect(seen.size).toBe(refs.length);
    expect(rotation.held).toBe(refs.length);
    expect(rotation.all()).toHaveLength(refs.length);
  });
});

describe('what keeps failing', () => {
  it('is told in a clause, although the error is a sentence with a full stop', async () => {
    const tasks = createTasks(() => true);
    await tasks.attempt('check-sight', () => Promise.reject(new Error('MISCONF see NOSAVE.')));
    tasks.stop();
    expect([...tasks.problems]).toEqual([['check-sight', 'MISCONF see NOSAVE']]);
  });
});
