'use client';

import { useTranslations } from 'use-intl';
import { Badge, type Tone } from '@/components/ui/badge';
import type { EndReason } from '@/lib/protocol/lock';

export const END_TONE: Record<EndReason, Tone> = {
  released: 'ok',
  'lease-ended': 'warning',
  overwritten: 'critical',
  evicted: 'critical',
  vanished: 'critical',
  moved: 'neutral',
  'lost-in-failover': 'critical',
  'force-released': 'accent',
  unknown: 'neutral',
};

export function EndReasonLabel({ reason }: { reason: EndReason }) {
  const t = useTranslations('labels');
  return (
    <Badge
      tone={END_TONE[reason]}
      title={t(`endMeanings.${reason}`)}
      className={reason === 'unknown' ? 'hatched' : undefined}
    >
      {t(`endReasons.${reason}`)}
    </Badge>
  );
}
