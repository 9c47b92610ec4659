'use client';

import { useTranslations } from 'use-intl';
import { ALERT_CODES, memberOf } from '@/lib/protocol/closed-sets';

/** The name of an alert code; the code itself where the catalogue does not know it. */
export function AlertCodeLabel({ code }: { code: string }) {
  const t = useTranslations('labels');
  const known = memberOf(ALERT_CODES, code);
  return <>{known ? t(`alertCodes.${known}`) : code}</>;
}
