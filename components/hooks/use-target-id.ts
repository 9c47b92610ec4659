'use client';

import { useLive } from './use-live';

/** The target that figures without one are about; null until it is known. */
export function useTargetId(): string | null {
  const { data } = useLive('targets', {});
  return data?.[0]?.id ?? null;
}
