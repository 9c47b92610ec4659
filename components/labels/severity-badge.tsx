'use client';

import { clsx } from 'clsx';
import { Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge, TONE_TEXT } from '@/components/ui/badge';
import type { Severity } from '@/lib/protocol/alert';

/** Each severity has its own outline, so that it is told without colour. */
const SEVERITY_ICON = { critical: OctagonAlert, warning: TriangleAlert, info: Info };

export function SeverityBadge({ severity }: { severity: Severity }) {
  const t = useTranslations('labels');
  return (
    <Badge tone={severity} icon={<SeverityIcon severity={severity} size={11} />}>
      {t(`severities.${severity}`)}
    </Badge>
  );
}

export function SeverityIcon({ severity, size = 14 }: { severity: Severity; size?: number }) {
  const Icon = SEVERITY_ICON[severity];
  return (
    <Icon
      size={size}
      strokeWidth={2.25}
      aria-hidden
      className={clsx('shrink-0', TONE_TEXT[severity])}
    />
  );
}
