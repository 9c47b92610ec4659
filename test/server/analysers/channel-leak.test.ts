import { describe, expect, it } from 'vitest';
import type { Threshold } from '@/lib/protocol/rules';
import type { IdleChannel, Target } from '@/lib/protocol/target';
import { createAnalysis } from '@/server/analysers';
import { aLostTarget, aNode, aTable, aTarget, inWords, START } from '@/test/support/records';

const MINUTE = 60_000;

const idle = (name: string, since = START): IdleChannel => ({
  ...{ channel: `redisson_lock__channel:{${name}}`, subscribers: 2, since },
  isFollowed: true,
});

const listening = (idleChannels: IdleChannel[], overrides: Partial<Target> = {}): Target =>
  aTarget({ idleChannels, idleChannelCount: idleChannels.length, ...overrides });

function watching(set?: Threshold) {
  const analysis = createAnalysis({
    ...{ longHoldMs: 60_000, noExpiryMs: 30_000 },
    ...(set && { thresholdOf: (code) => (code === 'channel-leak' ? set : null) }),
  });
  return (target: Target, now: number) =>
    inWords(analysis.findings(aTable([]), target, now)).filter(
      ({ code }) => code === 'channel-leak',
    );
}

describe('channels that are listened to for nothing', () => {
  it('are one alert after ten minutes, with who listens, and over when they are gone', () => {
    const judge = watching();
    const channelClients = [{ addr: '10.0.0.5:4711', name: 'orders', channels: 7 }];
    const target = listening([idle('a'), idle('b', START + MINUTE)], { channelClients });
    expect(judge(target, START + 10 * MINUTE - 1)).toEqual([]);
    expect(judge(target, START + 10 * MINUTE)).toMatchObject([{ count: 1, since: START }]);
    const [both, ...others] = judge(target, START + 11 * MINUTE);
    expect(others).toEqual([]);
    expect(both).toMatchObject({ severity: 'warning', evidence: 'observed', count: 2 });
    expect(both?.summary).toContain(
      'redisson_lock__channel:{a} (2), redisson_lock__channel:{b} (2)',
    );
    expect(both?.summary).toContain('orders 10.0.0.5:4711 (7)');
    expect(both?.summary).toContain('Redis does not tell');
    expect(judge(aTarget(), START + 12 * MINUTE)).toEqual([]);
  });

  it('count whole where the list of them is cut', () => {
    const target = listening([idle('a'), idle('b')], { idleChannelCount: 4711 });
    expect(watching()(target, START + 10 * MINUTE)).toMatchObject([{ count: 4711 }]);
  });

  it('are told by the threshold that is set', () => {
    const judge = watching({ kind: 'static', value: 20_000 });
    expect(judge(listening([idle('a')]), START + 19_000)).toEqual([]);
    expect(judge(listening([idle('a')]), START + 20_000)).toHaveLength(1);
  });

  it.each([
    ['events of it do not come', { idleChannels: [{ ...idle('a'), isFollowed: false }] }, 'short'],
    ['dbs with keys are not watched', { unwatchedDbs: [1, 4] }, '(1, 4)'],
  ])('are only told as likely where %s', (_, overrides, words) => {
    const [found] = watching()(listening([idle('a')], overrides), START + 10 * MINUTE);
    expect(found).toMatchObject({ severity: 'info', evidence: 'inferred' });
    expect(found?.summary).toContain(words);
  });

  it('stay as they were, and none is added, while acquires cannot be seen', () => {
    const judge = watching();
    const { canSee } = aNode();
    const nodes = [aNode({ canSee: { ...canSee, acquire: false } })];
    expect(judge(listening([idle('a')], { nodes }), START + 10 * MINUTE)).toEqual([]);
    expect(judge(listening([idle('a')]), START + 10 * MINUTE)).toHaveLength(1);
    expect(judge(aLostTarget(), START + 12 * MINUTE)).toHaveLength(1);
  });
});
