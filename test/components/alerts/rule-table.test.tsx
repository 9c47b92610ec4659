import { describe, expect, it } from 'vitest';
import { RuleTable } from '@/components/alerts/rules/rule-table';
import { sampleRules } from '@/components/gallery/alerts';
import type { Rule } from '@/lib/protocol/rules';
import { textOf } from './text-of';

const NOW = Date.UTC(2026, 10, 2, 14);

const tableOf = (rules: readonly Rule[]): string =>
  textOf(<RuleTable rules={rules} onEdit={() => undefined} onAdd={() => undefined} />);

describe('the table of rules beside a threshold that follows the class', () => {
  const [longHold] = sampleRules(NOW).rules.filter(({ code }) => code === 'long-hold');
  if (!longHold) throw new Error('the gallery has the rule');
  const text = tableOf([longHold]);

  it('says for the classes most held where it lies and what that rests on', () => {
    expect(text).toMatch(
      /3 × p99, at least 10s .*order_sync:\* Now 2 m 6 s, of a p99 of 42 s over 1,240 holds since .*observed/,
    );
    expect(text).toMatch(/cart:\* Now 10 s, of a p99 of 800 ms over 96,000 holds/);
  });

  it('says that it is unknown, and what holds meanwhile, where too few were seen', () => {
    expect(text).toMatch(
      /2 × p99, at least 5s .*Now 1 m, as too little is known: 17 holds since .*, at least 100 are needed\..*unknown/,
    );
  });

  it('says nothing of it beside a fixed one', () => {
    const fixed = sampleRules(NOW).rules.filter(({ code }) => code === 'no-expiry');
    expect(tableOf(fixed)).not.toMatch(/p99|too little/);
  });
});
