import { describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import { consoleAlerts } from '@/lib/messages/en/sentences/console';
import { holds } from '@/lib/messages/en/sentences/holds';
import { moments } from '@/lib/messages/en/sentences/moments';
import { orders } from '@/lib/messages/en/sentences/orders';
import { redlock } from '@/lib/messages/en/sentences/redlock';
import { waits } from '@/lib/messages/en/sentences/waits';
import { warnings } from '@/lib/messages/en/sentences/warnings';
import type { SentenceId } from '@/lib/messages/sentence';
import type { AlertCode } from '@/lib/protocol/alert';
import { ALERT_CODES } from '@/lib/protocol/closed-sets';

/** What the alerts of each code say first, and what they may add. */
const SUMMARIES: Record<AlertCode, readonly SentenceId[]> = {
  'no-expiry': [
    ...(['no-expiry:held', 'no-expiry:cut-off', 'no-expiry:by-default'] as const),
    'no-expiry:many',
  ],
  'long-hold': [
    ...(['long-hold:held', 'long-hold:held-renewed', 'long-hold:held-at-least'] as const),
    ...(['long-hold:held-at-least-renewed', 'long-hold:last-renewed'] as const),
    ...(['long-hold:unusual', 'long-hold:many'] as const),
  ],
  'renewal-missed': ['renewal-missed:late', 'renewal-missed:many'],
  'zombie-renewal': ['zombie:made-anew', 'zombie:owner-gone', 'zombie:many'],
  overrun: ['overrun:late', 'overrun:late-unknown', 'overruns:of-lock', 'overruns:of-holder'],
  'stalled-risk': ['stalled-risk:active', 'stalled-risk:unknown', 'stalled-risk:many'],
  takeover: ['takeover:by', 'takeover:by-unknown'],
  'foreign-release-suspected': ['foreign-release:suspected'],
  evicted: ['evicted:held'],
  vanished: ['vanished:held'],
  'lost-in-failover': [
    ...(['lost-in-failover:overlaps', 'lost-in-failover:may-overlap'] as const),
    ...(['lost-in-failover:overlaps-for-ever', 'lost-in-failover:may-overlap-for-ever'] as const),
    'lost-in-failover:several',
  ],
  'born-short': ['born-short:lease'],
  flapping: ['flapping:lost'],
  'came-back': ['came-back:again'],
  'orphan-queue': ['orphan-queue:not-taken', 'orphan-queue:gone', 'orphan-queue:many'],
  'free-but-waited': ['free-but-waited:instances', 'free-but-waited:many'],
  'waiter-pileup': [
    ...(['waiter-pileup:owners', 'waiter-pileup:owners-held', 'waiter-pileup:many'] as const),
    ...(['waiter-pileup:instances', 'waiter-pileup:instances-held'] as const),
  ],
  'retry-storm': ['retry-storm:refused', 'retry-storm:sampled', 'sampled:span'],
  'hot-client': ['hot-client:sampled', 'sampled:span'],
  deadlock: [
    ...(['deadlock:cycle', 'deadlock:long-cycle', 'deadlock:knot', 'deadlock:behind'] as const),
    ...(['deadlock:broken-released', 'deadlock:broken-forced', 'deadlock:broken-moved'] as const),
    ...(['deadlock:broken-forced-unnamed', 'deadlock:broken-lease-ended'] as const),
    ...(['deadlock:broken-overwritten', 'deadlock:broken-evicted'] as const),
    ...(['deadlock:broken-vanished', 'deadlock:broken-lost-in-failover'] as const),
    ...(['deadlock:broken-unknown', 'deadlock:broken-wait-ended'] as const),
    'deadlock:broken-unseen',
  ],
  'self-wait': ['self-wait:waits', 'self-wait:many'],
  'order-inversion': [
    ...(['order-inversion:chain', 'order-inversion:one-class'] as const),
    'order-inversion:example',
  ],
  'blocking-chain': ['blocking-chain:holds-up'],
  convoy: ['convoy:lines-up'],
  'slow-handoff': ['slow-handoff:sleeps'],
  'signal-leak': ['signal-leak:grown', 'signal-leak:endless', 'signal-leak:many'],
  'channel-leak': [
    ...(['channel-leak:channels', 'channel-leak:clients', 'channel-leak:sampled'] as const),
    ...(['channel-leak:nobody-tells', 'channel-leak:other-dbs'] as const),
  ],
  'index-bloat': ['index-bloat:longer'],
  'lease-too-short': ['lease-too-short:outlived', 'lease-too-short:released'],
  'empty-key': ['empty-key:missing', 'empty-key:placeholder'],
  'db-mismatch': ['db-mismatch:service', 'warning:unwatched', 'warning:unwatched-locks'],
  'redlock-partial': [
    ...(['redlock-partial:silent', 'redlock-partial:no-majority'] as const),
    'redlock-partial:dbs',
  ],
  'not-independent': [
    ...(['not-independent:server', 'not-independent:machine', 'not-independent:dbs'] as const),
    'not-independent:machine-majority',
  ],
  'write-refused': [
    ...(['write-refused:snapshot', 'write-refused:append-log', 'write-refused:memory'] as const),
    ...(['write-refused:replicas', 'write-refused:perhaps'] as const),
  ],
  'one-sided': ['one-sided:only'],
  'eviction-risk': ['warning:eviction-risk'],
  'insecure-redis': ['warning:insecure'],
  'old-redis': ['warning:old-redis'],
  'replica-attached': ['warning:replica'],
  blind: [
    ...(['blind:disconnected', 'warning:no-resp3', 'warning:no-subscription'] as const),
    ...(['warning:unannounced', 'warning:unannounced-missing', 'warning:polling'] as const),
    ...(['warning:unannounced-unreadable', 'warning:down', 'warning:down-because'] as const),
  ],
  'blind-after-failover': ['blind-after-failover:replica'],
  'buffer-cut': ['warning:buffer-cut', 'warning:perhaps-buffer-cut'],
  'store-broken': ['store-broken:problem', 'store-broken:no-problem', 'store-broken:lost'],
  'judging-failed': ['judging-failed:check'],
  'notify-failing': ['notify-failing:summary', 'notify-failing:waiting'],
};

/** What is said of alerts after their summary, and what no alert says. */
const NO_SUMMARY =
  /^(owner|word|failing):|^warning:(failing|provider)|remedy$|^(not-found|order-inversion:(one-order|change|sort|intend)|blocking-chain:(root|ends|endless)|deadlock:(release|release-any|release-dead|ends|unlikely|endless|order)|orphan-queue:(drop|check|check-until)|self-wait:(ends|endless)|long-hold:(stays|stays-renewed|ends|look|look-only)|stalled-risk:allow|store-broken:outcome)/;

/** Words that say nothing by themselves. */
const SMALL = new Set(
  'a an after although and are as at be but by for from has have in into is it its itself may no not of on or since so than that the their them they this to was were which while with without'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] =>
  (
    text
      .replaceAll(/\{\w+\}/g, ' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  )
    .filter((word) => !SMALL.has(word))
    .map((word) => word.replace(/s$/, ''));

function wordingsOf(id: SentenceId): string[] {
  const template: string | { plural: string; one?: string; other: string } = en.sentences[id];
  if (typeof template === 'string') return [template];
  return [template.one ?? '', template.other];
}

const CASES = ALERT_CODES.flatMap((code) =>
  SUMMARIES[code].flatMap((id) => wordingsOf(id).map((wording) => ({ code, id, wording }))),
);

describe('the summary of an alert, which stands beside its label', () => {
  it.each(CASES)('of $code says no word of it: $wording', ({ code, wording }) => {
    const said = new Set(wordsOf(wording));
    const label = wordsOf(en.labels.alertCodes[code]);
    expect(label.filter((word) => said.has(word))).toEqual([]);
  });

  it('is looked at here, whichever it is', () => {
    const known = new Set<string>(Object.values(SUMMARIES).flat());
    const catalogue = { ...holds, ...moments, ...waits, ...orders, ...redlock, ...warnings };
    const left = Object.keys({ ...catalogue, ...consoleAlerts }).filter(
      (id) => !known.has(id) && !NO_SUMMARY.test(id),
    );
    expect(left).toEqual([]);
  });
});
