import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { AlertEvent } from '@/lib/protocol/alert';
import type { Sentence } from '@/lib/protocol/sentence';
import type { NoticeRecord } from './notice-record';
import type { Outcome } from './outcome';

/**
 * Lines for the timelines of the alerts that were told, or not: once when telling begins to fail, and when it is
 * given up; what is tried in between is no news.
 */
export function deliveryEvents(
  notices: readonly NoticeRecord[],
  outcome: Outcome,
  at: number,
): AlertEvent[] {
  return notices.flatMap((notice) => {
    const said = wordsOf(notice, outcome);
    if (!notice.alert || !said) return [];
    const sentences = [said];
    return [
      {
        alert: notice.alert.id,
        at,
        kind: outcome.kind === 'delivered' ? ('notified' as const) : ('notify-failed' as const),
        actor: null,
        text: inEnglish(sentences),
        sentences,
        evidence: null,
      },
    ];
  });
}

function wordsOf(notice: NoticeRecord, outcome: Outcome): Sentence | null {
  const { channelName: channel, event, error, nextAt, attempts } = notice;
  if (outcome.kind === 'delivered') return sentence('notify:event-told', { channel, event });
  if (error === null) return null;
  if (nextAt === null) return sentence('notify:event-given-up', { channel, error });
  return attempts === 1 ? sentence('notify:event-failed', { channel, error }) : null;
}
