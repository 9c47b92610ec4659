import type { LockDetail } from '@/lib/protocol/lock';

/** Whether a watched pattern alone makes it a lock, and nothing tells of which library. */
export const isOnlyDeclared = ({ sentences }: LockDetail): boolean =>
  sentences?.why.some(({ id }) => id === 'because:declared') ?? false;
