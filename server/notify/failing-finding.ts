import { sentence } from '@/lib/messages/sentence';
import type { Channel } from '@/lib/protocol/notify';
import type { RuleBook } from '@/server/alerts/rules';
import type { Finding } from '@/server/analysers/finding';
import { CHANNEL_FAILS_FOR_MS, valueOf } from '@/server/analysers/thresholds';

/** A channel that nobody hears by is an incident like any other. */
export function failingFindings(
  channels: readonly Channel[],
  rules: Pick<RuleBook, 'thresholdOf'>,
  now: number,
): Finding[] {
  const set = rules.thresholdOf('notify-failing', null);
  const failsForMs = set === null ? CHANNEL_FAILS_FOR_MS : valueOf(set, null);
  return channels.flatMap(({ id, name, failing, waiting }) => {
    if (!failing || now - failing.since < failsForMs) return [];
    const lastsMs = now - failing.since;
    return [
      {
        id: `notify-failing:${id}`,
        code: 'notify-failing' as const,
        severity: 'warning' as const,
        subject: { kind: 'target' as const, label: name, locks: [], deadlockId: null },
        summary: [
          sentence('notify-failing:summary', { channel: name, lastsMs, error: failing.error }),
          ...(waiting > 0 ? [sentence('notify-failing:waiting', { count: waiting })] : []),
        ],
        remedy: [sentence('notify-failing:remedy', {})],
        since: failing.since,
        count: 1,
        evidence: 'observed' as const,
        moment: false,
      },
    ];
  });
}
