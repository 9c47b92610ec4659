import { sentence } from '@/lib/messages/sentence';
import type { Channel } from '@/lib/protocol/notify';
import type { Finding } from '@/server/analysers/finding';

/** A channel that fails for less may only have been restarted. */
const FAILS_FOR_MS = 5 * 60_000;

/** A channel that nobody hears by is an incident like any other. */
export function failingFindings(channels: readonly Channel[], now: number): Finding[] {
  return channels.flatMap(({ id, name, failing, waiting }) => {
    if (!failing || now - failing.since < FAILS_FOR_MS) return [];
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
