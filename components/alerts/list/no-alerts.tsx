'use client';

import { BellOff, CircleCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { isFiltered, type AlertView } from './alert-view';

/** Nothing to list: nothing is wrong, nothing was yet, or the conditions leave nothing. */
export function NoAlerts({ view, onClear }: { view: AlertView; onClear: () => void }) {
  const t = useTranslations('alerts');
  const isNarrow = isFiltered(view) || !['open', 'all', 'resolved'].includes(view.show);
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState
        icon={
          isNarrow ? (
            <BellOff size={22} aria-hidden />
          ) : (
            <CircleCheck size={22} aria-hidden className="text-ok" />
          )
        }
        title={isNarrow ? t('noMatch') : view.show === 'resolved' ? t('noHistory') : t('none')}
        actions={isNarrow && <Button onClick={onClear}>{t('clear')}</Button>}
      >
        {isNarrow ? t('noMatchText') : view.show === 'resolved' ? null : t('noneText')}
      </EmptyState>
    </div>
  );
}
