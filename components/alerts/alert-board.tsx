'use client';

import { BellOff, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Alert } from '@/lib/protocol/alert';
import { useLive, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { AlertCard } from './alert-card';
import { AlertDialog, type AlertAct } from './alert-dialog';
import {
  ALERT_LIMIT,
  alertQuery,
  hasResolved,
  readAlertView,
  SHOWN_STEP,
  shownAlerts,
  shownFirst,
  type AlertView,
} from './alert-filter';
import { AlertToolbar } from './alert-toolbar';

/** All alerts with their life: what fires, who knows of it, what has ended. */
export function AlertBoard() {
  const t = useTranslations('alerts');
  const url = useUrlParams();
  const view = readAlertView(url.get);
  const answer = useLive('alerts', alertQuery(view));
  const [steps, setSteps] = useState(1);
  const [act, setAct] = useState<{ alert: Alert; act: AlertAct } | null>(null);
  return (
    <PageBody>
      <PageHeader title={t('title')} />
      <AlertToolbar view={view} onChange={(changes) => url.set({ ...changes, alert: null })} />
      <LiveData snapshot={answer}>
        {({ items }) => {
          const shown = shownAlerts(items, view);
          if (shown.length === 0) {
            const clear = () => url.set({ show: null, severity: null, code: null, alert: null });
            return <NoAlerts view={view} onClear={clear} />;
          }
          return (
            <>
              <ul className="overflow-hidden rounded-lg border border-line bg-surface">
                {shownFirst(shown, steps, view.marked).map((alert) => (
                  <AlertCard
                    key={alert.id}
                    alert={alert}
                    marked={alert.id === view.marked}
                    onAct={(which) => setAct({ alert, act: which })}
                  />
                ))}
              </ul>
              {shown.length > steps * SHOWN_STEP && (
                <p className="mt-3 flex items-center justify-center gap-3 text-xs text-ink-3">
                  {t('shownOf', { shown: steps * SHOWN_STEP, all: shown.length })}
                  <Button onClick={() => setSteps(steps + 1)}>
                    {t('showMore', {
                      count: Math.min(SHOWN_STEP, shown.length - steps * SHOWN_STEP),
                    })}
                  </Button>
                </p>
              )}
              {items.length >= ALERT_LIMIT && (
                <Notice className="mt-3">{t('tooMany', { count: ALERT_LIMIT })}</Notice>
              )}
            </>
          );
        }}
      </LiveData>
      {act && (
        <AlertDialog
          {...act}
          isOver={hasResolved(act.alert, answer.data?.items)}
          onClose={() => setAct(null)}
        />
      )}
    </PageBody>
  );
}

function NoAlerts({ view, onClear }: { view: AlertView; onClear: () => void }) {
  const t = useTranslations('alerts');
  const isFiltered = view.severity !== null || view.code !== null;
  const icon = isFiltered ? (
    <BellOff size={22} aria-hidden />
  ) : (
    <CircleCheck size={22} aria-hidden className="text-ok" />
  );
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState
        icon={icon}
        title={isFiltered ? t('noMatch') : view.show === 'resolved' ? t('noHistory') : t('none')}
        actions={isFiltered && <Button onClick={onClear}>{t('clear')}</Button>}
      >
        {isFiltered ? t('noMatchText') : view.show === 'resolved' ? null : t('noneText')}
      </EmptyState>
    </div>
  );
}
