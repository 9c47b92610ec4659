import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import type { AlertEventKind } from '@/lib/protocol/alert';
import type { Evidence } from '@/lib/protocol/lock';
import type { Sentence } from '@/lib/protocol/sentence';

/** One line of a timeline; without `actor` the console did or saw it. */
export interface Line {
  kind: AlertEventKind;
  sentences: Sentence[];
  actor?: string;
  /** Whether the evidence of the alert is that of the line: what somebody did needs none. */
  isSeen?: boolean;
  /** Where the line is known otherwise than the alert. */
  evidence?: Evidence;
}

/** The summary of the moment, which later ones replace in the alert. */
const saying = (alert: Alert): Sentence[] => alert.sentences?.summary ?? [];

export const lines = {
  pending: (alert: Alert, forMs: number): Line => ({
    kind: 'pending',
    sentences: [sentence('timeline:pending', { forMs }), ...saying(alert)],
    isSeen: true,
  }),
  fired: (alert: Alert): Line => ({
    kind: 'fired',
    sentences: [sentence('timeline:fired', {}), ...saying(alert)],
    isSeen: true,
  }),
  changed: (alert: Alert, before: Alert): Line => ({
    kind: 'changed',
    sentences: [
      alert.severity === before.severity
        ? sentence('timeline:changed', {})
        : sentence('timeline:severity', { severity: alert.severity }),
      ...saying(alert),
    ],
    isSeen: true,
  }),
  gone: (lastsMs: number): Line => ({
    kind: 'changed',
    sentences: [sentence('timeline:gone', { lastsMs })],
    isSeen: true,
  }),
  acknowledged: (actor: string, reason: string): Line => ({
    kind: 'acknowledged',
    sentences: [sentence('timeline:acknowledged', { actor, reason })],
    actor,
  }),
  silenced: (actor: string, reason: string, lastsMs: number): Line => ({
    kind: 'silenced',
    sentences: [sentence('timeline:silenced', { actor, reason, lastsMs })],
    actor,
  }),
  silencedBy: (actor: string, reason: string, lastsMs: number): Line => ({
    kind: 'silenced',
    sentences: [sentence('timeline:silenced-by', { actor, reason, lastsMs })],
    actor,
  }),
  unsilenced: (): Line => ({
    kind: 'unsilenced',
    sentences: [sentence('timeline:unsilenced', {})],
  }),
  doubtful: (): Line => ({ kind: 'doubtful', sentences: [sentence('timeline:doubtful', {})] }),
  certain: (alert: Alert): Line => ({
    kind: 'certain',
    sentences: [sentence('timeline:certain', {}), ...saying(alert)],
    isSeen: true,
  }),
  flapping: (count: number, withinMs: number, calmMs: number): Line => ({
    kind: 'flapping',
    sentences: [sentence('timeline:flapping', { count, withinMs, calmMs })],
    isSeen: true,
  }),
  reopened: (alert: Alert): Line => ({
    kind: 'reopened',
    sentences: [sentence('timeline:reopened', {}), ...saying(alert)],
    isSeen: true,
  }),
  /** How its condition ended, where that is known, stands on evidence of its own. */
  resolved: (because: Sentence, { ending }: Alert): Line => ({
    kind: 'resolved',
    sentences: [
      ...(because.id === 'timeline:resolved' ? [sentence('timeline:over', {})] : []),
      because,
      ...(ending?.sentences ?? []),
    ],
    ...(ending ? { evidence: ending.evidence } : { isSeen: true }),
  }),
};

export const eventOf = (alert: Alert, line: Line, at: number): AlertEvent => ({
  alert: alert.id,
  at,
  kind: line.kind,
  actor: line.actor ?? null,
  text: inEnglish(line.sentences),
  sentences: line.sentences,
  evidence: line.evidence ?? (line.isSeen === true ? alert.evidence : null),
});
