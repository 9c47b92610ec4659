import { describe, expect, it } from 'vitest';
import { AlertMoments } from '@/components/alerts/alert-moments';
import { HowItEnded } from '@/components/alerts/how-it-ended';
import { WhoCares } from '@/components/alerts/incident/incident-facts';
import { sampleAlerts } from '@/components/gallery/incidents';
import { verbatim } from '@/lib/messages/sentence';
import type { Alert } from '@/lib/protocol/alert';
import { textOf } from './text-of';

const NOW = Date.UTC(2026, 10, 2, 14, 30);
const since = Date.UTC(2026, 10, 2, 14, 0);
const alertedAt = since + 90_000;

const [sample] = sampleAlerts(NOW);
if (!sample) throw new Error('the gallery has an alert');
const anAlert = (over: Partial<Alert>): Alert => ({
  ...sample,
  ...{ state: 'firing', since, resolvedAt: null, alertedAt },
  ...over,
});
const momentsOf = (over: Partial<Alert>): string => textOf(<AlertMoments alert={anAlert(over)} />);

describe('the moments of an alert', () => {
  it('are since when its condition is there and when it alerted, each by its one name', () => {
    expect(momentsOf({})).toMatch(/^condition since .*so far\) · alerted at /);
    expect(momentsOf({ resolvedAt: since + 600_000 })).toMatch(
      /^condition since .*\( ?10 m ?\) · alerted at .* · resolved at /,
    );
  });

  it('say that it has not alerted yet, and that it never did', () => {
    expect(momentsOf({ state: 'pending', alertedAt: null })).toMatch(/ · has not alerted yet$/);
    const gone = { state: 'resolved', alertedAt: null, resolvedAt: since + 5000 } as const;
    expect(momentsOf(gone)).toContain('· never alerted · resolved at');
  });

  it('claim nothing of an alert that was kept before this was', () => {
    expect(momentsOf({ alertedAt: undefined })).not.toContain('alerted');
  });
});

it('how long nobody looked after an alert counts from when it alerted', () => {
  const told = (over: Partial<Alert>): string => textOf(<WhoCares alert={anAlert(over)} />);
  expect(told({ acknowledgedBy: null })).toMatch(/Nobody has said so yet, .*after it alerted\./);
  expect(told({ acknowledgedBy: null, state: 'pending', alertedAt: null })).toContain(
    'Nobody has to yet: it has not alerted.',
  );
});

it('what ended a condition is told with who did it and how that is known', () => {
  const text = 'Broken by ada, who released acct:2 by force; B held it.';
  const ending = {
    ...{ text, sentences: [verbatim(text)], at: NOW, actor: 'ada', evidence: 'inferred' as const },
  };
  expect(textOf(<HowItEnded ending={ending} />)).toMatch(
    /^How it ended: Broken by ada, who released acct:2 by force; B held it\. .*inferred/,
  );
});
