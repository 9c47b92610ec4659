import type { LockDetail } from '@/lib/protocol/lock';
import type { Sentence } from '@/lib/protocol/sentence';

type Repair = NonNullable<LockDetail['repairs']>[number];

/** A repair that this lock knows, and why it cannot be done now; null when the lock knows no such repair. */
export function repairOf(
  { repairs = [] }: Pick<LockDetail, 'repairs'>,
  kind: Repair['kind'],
): { because: Sentence[] | null } | null {
  const found = repairs.find((repair) => repair.kind === kind);
  return found ? { because: found.because ?? null } : null;
}
