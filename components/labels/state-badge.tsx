'use client';

import { Hourglass, Lock, LockOpen, Unlink, UserRoundX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge, type Tone } from '@/components/ui/badge';
import type { LockState } from '@/lib/protocol/lock';

export const STATE_LOOK: Record<LockState, { tone: Tone; icon: typeof Lock }> = {
  held: { tone: 'held', icon: Lock },
  free: { tone: 'free', icon: LockOpen },
  'cooling-down': { tone: 'cooling', icon: Hourglass },
  broken: { tone: 'broken', icon: Unlink },
  'orphan-queue': { tone: 'orphan', icon: UserRoundX },
};

/** States that are no everyday word: told to screen readers as well. */
const RARE: readonly LockState[] = ['cooling-down', 'broken', 'orphan-queue'];

export const isRareState = (state: LockState): boolean => RARE.includes(state);

export function StateBadge({ state }: { state: LockState }) {
  const t = useTranslations('labels');
  const { tone, icon: Icon } = STATE_LOOK[state];
  return (
    <Badge
      tone={tone}
      title={t(`stateMeanings.${state}`)}
      icon={<Icon size={11} strokeWidth={2.25} aria-hidden className="shrink-0" />}
    >
      {t(`states.${state}`)}
      {isRareState(state) && <span className="sr-only">{` (${t(`stateMeanings.${state}`)})`}</span>}
    </Badge>
  );
}
