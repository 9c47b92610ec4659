'use client';

import { useTranslations } from 'use-intl';
import { AlertCode } from '@/lib/protocol/alert';

/** The name of an alert code; the code itself where the catalogue does not know it. */
export function AlertCodeLabel({ code }: { code: string }) {
  const t = useTranslations('labels');
  const known = AlertCode.safeParse(code);
  return <>{known.success ? t(`alertCodes.${known.data}`) : code}</>;
}
