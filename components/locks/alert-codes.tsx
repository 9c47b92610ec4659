'use client';

import { Bell } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { AlertCodeLabel } from '@/components/labels';
import { Badge } from '@/components/ui/badge';

/** The first alert about a lock by name, the rest by number. */
export function AlertCodes({ codes }: { codes: string[] }) {
  const t = useTranslations('locks');
  const [first] = codes;
  if (first === undefined) return null;
  return (
    <Badge tone="warning" icon={<Bell size={10} aria-hidden className="shrink-0" />}>
      <AlertCodeLabel code={first} />
      {codes.length > 1 && ` ${t('moreAlerts', { count: codes.length - 1 })}`}
    </Badge>
  );
}
