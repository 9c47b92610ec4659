import { expect, it } from 'vitest';
import type { Channel } from '@/lib/protocol/notify';
import { createRules } from '@/server/alerts/rules';
import { failingFindings } from '@/server/notify/failing-finding';
import { START } from '@/test/support/records';

const MINUTE = 60_000;

const down: Channel = {
  ...{ id: 'c1', version: 1, name: 'ops', kind: 'webhook', settings: null, hasSecret: false },
  ...{ destination: null, waiting: 2, deliveredAt: null },
  failing: { since: START, error: 'nobody listens' },
};

it('a channel is told of once it has failed for as long as its rule says, else for five minutes', () => {
  const rules = createRules();
  const told = (afterMs: number): number =>
    failingFindings([down, { ...down, id: 'c2', failing: null }], rules, START + afterMs).length;
  expect([told(5 * MINUTE - 1), told(5 * MINUTE)]).toEqual([0, 1]);
  rules.save({
    ...{ code: 'notify-failing', class: null, actor: 'root', reason: 'a pager', at: START },
    setting: {
      ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
      threshold: { kind: 'static', value: MINUTE },
    },
  });
  expect([told(MINUTE - 1), told(MINUTE)]).toEqual([0, 1]);
});
