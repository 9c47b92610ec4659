'use client';

import { BellOff, BellRing, CircleCheck, Hourglass, UserCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '@/components/ui/badge';
import type { Alert } from '@/lib/protocol/alert';

/** Each state has its own outline, so that it is told without colour. */
export const ALERT_STATE_ICON: Record<Alert['state'], typeof BellRing> = {
  pending: Hourglass,
  firing: BellRing,
  acknowledged: UserCheck,
  silenced: BellOff,
  resolved: CircleCheck,
};

type Stated = Pick<Alert, 'state' | 'severity'>;

/** Where an alert is in its life, by word and shape. Only one that fires bears the colour of its severity. */
export function AlertStateBadge({ alert }: { alert: Stated }) {
  const t = useTranslations('alerts');
  const Icon = ALERT_STATE_ICON[alert.state];
  const tone =
    alert.state === 'firing' ? alert.severity : alert.state === 'resolved' ? 'ok' : 'neutral';
  return (
    <Badge
      tone={tone}
      title={t(`stateMeanings.${alert.state}`)}
      icon={<Icon size={11} strokeWidth={2.25} aria-hidden className="shrink-0" />}
    >
      {t(`states.${alert.state}`)}
    </Badge>
  );
}
