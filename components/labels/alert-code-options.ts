'use client';

import { useTranslations } from 'use-intl';
import type { AlertCode } from '@/lib/protocol/alert';
import { ALERT_CODES } from '@/lib/protocol/closed-sets';

/** The codes of alerts with their names, by name, for a choice. */
export function useAlertCodeOptions(): (readonly [AlertCode, string])[] {
  const t = useTranslations('labels.alertCodes');
  return ALERT_CODES.map((code) => [code, t(code)] as const).toSorted(([, a], [, b]) =>
    a.localeCompare(b),
  );
}
