import type { Template } from '@/lib/messages/sentence-template';

/** Lines of an incident's timeline. What the alert said at that moment may follow. */
export const timeline = {
  'timeline:pending': 'Seen; it alerts if it lasts {forMs}:',
  'timeline:fired': 'Alerted:',
  'timeline:changed': 'Changed:',
  'timeline:severity': 'Now {severity}:',
  'timeline:acknowledged': '{actor} looks after it: {reason}',
  'timeline:silenced': '{actor} silenced it for {lastsMs}: {reason}',
  'timeline:silenced-by': 'Silenced for {lastsMs} by a silence of {actor}: {reason}',
  'timeline:unsilenced': 'The silence is over.',
  'timeline:doubtful': 'The console is blind: whether this is still so cannot be seen.',
  'timeline:certain': 'Seen again, and still so:',
  'timeline:flapping': {
    plural: 'count',
    one: 'Came back {count} time within {withinMs}: it stays open until it is calm for {calmMs}.',
    other:
      'Came back {count} times within {withinMs}: it stays open until it is calm for {calmMs}.',
  },
  'timeline:gone': 'Gone; it stays open for {lastsMs} in case it comes back.',
  'timeline:over': 'Resolved:',
  'timeline:resolved': 'the condition lasted {lastedMs}.',
  'timeline:resolved-pending': 'Gone before it alerted.',
  'timeline:resolved-aged': 'Closed: it has not happened again for {lastsMs}.',
  'timeline:resolved-rule': 'Closed: alerts of this kind are switched off.',
  'timeline:reopened': 'Came back:',
  'timeline:lasted': '{lastedMs}',
  'timeline:acted': '{actor}: {action} of {key}, {outcome}',
  'timeline:acted-reason': '(reason: {reason})',
} as const satisfies Record<string, Template>;
