import type { Alert } from '@/lib/protocol/alert';

/** How many locks it is about, listed or not. Of one lock, or of a target, `count` is how often or how many wait. */
export const lockCountOf = ({ subject, count }: Pick<Alert, 'subject' | 'count'>): number =>
  subject.kind === 'locks' ? Math.max(count, subject.locks.length) : subject.locks.length;
