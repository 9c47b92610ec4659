'use client';

import { useTranslations } from 'use-intl';
import { Notice } from '@/components/ui/notice';
import type { Gap } from '@/lib/protocol/target';
import { useMomentText } from './moment-text';

interface Props {
  /** What was asked for, and what was answered, as the server says it. */
  asked: number;
  moment: { at: number; gap: Gap | null; keptFrom: number | null };
}

/** Why less is known of a moment than of others. */
export function PastNotices({ asked, moment: { at, gap, keptFrom } }: Props) {
  const t = useTranslations('past.notices');
  const reasons = useTranslations('labels.gapReasons');
  const text = useMomentText();
  const isUnkept = keptFrom === null || at < keptFrom;
  return (
    <>
      {asked > at && <Notice title={t('future')}>{t('futureText')}</Notice>}
      {isUnkept && (
        <Notice tone="warning" title={t('unkept')}>
          {keptFrom === null ? t('nothingKept') : t('keptFrom', { from: text(keptFrom, at) })}
        </Notice>
      )}
      {gap && !isUnkept && (
        <Notice tone="warning" title={t('gap')}>
          {gap.to === null
            ? t('gapOpen', { from: text(gap.from, at), reason: reasons(gap.reason) })
            : t('gapText', {
                from: text(gap.from, at),
                to: text(gap.to, at),
                reason: reasons(gap.reason),
              })}
        </Notice>
      )}
    </>
  );
}

/** Whether a list without entries means that there was nothing. */
export const isWholeKnown = ({ at, gap, keptFrom }: Props['moment']): boolean =>
  gap === null && keptFrom !== null && at >= keptFrom;
