import type { Alert, Severity } from '@/lib/protocol/alert';

const RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };

const isPending = ({ state }: Alert): number => (state === 'pending' ? 1 : 0);

const isPart = ({ partOf }: Alert): number => (partOf ? 1 : 0);

/** Worst first, a deadlock before its parts, and among equals the newest first. What has not lasted long enough to be an alert comes last. */
export function worstFirst(alerts: readonly Alert[]): Alert[] {
  return [...alerts].sort(
    (a, b) =>
      isPending(a) - isPending(b) ||
      RANK[a.severity] - RANK[b.severity] ||
      isPart(a) - isPart(b) ||
      b.since - a.since,
  );
}
