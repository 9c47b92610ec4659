import type { Template } from '@/lib/messages/sentence-template';

/** Orders in which locks are taken. */
export const orders = {
  'order-inversion:chain': 'Potential deadlock: {orders} contradict each other.',
  'order-inversion:one-class':
    'Potential deadlock: locks of {class} are taken in ways that contradict each other.',
  'order-inversion:example': '{by} held {first} when it asked for {second} at {takenAt}.',
  'order-inversion:one-order':
    'Take {first} before {second} everywhere: that was done {count}×, the other way round {other}×.',
  'order-inversion:change':
    'Take these locks in one order everywhere; {order} is the rarest of them.',
  'order-inversion:sort': 'Take locks of {class} in the order of their ids everywhere.',
  'order-inversion:intend':
    'If these can never run at the same time, mark the order as meant (id {id}) on the page of deadlocks.',

  'not-found:order': 'No order {id} contradicts itself now.',
  'not-found:intended': 'No order {id} is marked as meant.',
} as const satisfies Record<string, Template>;
