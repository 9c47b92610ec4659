'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { NotifyButton } from '@/components/alerts/attention/notify-button';
import { ActDialog } from '@/components/alerts/act-dialog';
import { isDue, overIn } from '@/components/alerts/act-scope';
import { useOpenAlerts } from '@/components/hooks/use-open-alerts';
import { useMay } from '@/components/alerts/use-may';
import type { AlertAct } from '@/components/alerts/use-act-on';
import { useLive, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { Notice } from '@/components/ui/notice';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import type { Alert, AlertPage } from '@/lib/protocol/alert';
import { AlertList } from './alert-list';
import { AlertToolbar } from './alert-toolbar';
import { ALERT_LIMIT, alertQuery, NO_FILTERS, readAlertView, type AlertView } from './alert-view';
import { ListBar } from './list-bar';
import { NoAlerts } from './no-alerts';
import { actedOn } from './selection';
import { useAlertKeys, type AlertKey } from './use-alert-keys';
import { useAlertList } from './use-alert-list';

/** All alerts with their life: what fires, who knows of it, what has ended. */
export function AlertBoard() {
  const t = useTranslations('alerts');
  const url = useUrlParams();
  const view = readAlertView(url.get);
  const answer = useLive('alerts', alertQuery(view));
  const { groups } = useOpenAlerts();
  return (
    <PageBody>
      <PageHeader title={t('title')} actions={<NotifyButton />} />
      <AlertToolbar view={view} groups={groups} onChange={url.set} />
      <LiveData snapshot={answer}>
        {(page) =>
          page.items.length === 0 ? (
            <NoAlerts view={view} onClear={() => url.set({ ...NO_FILTERS })} />
          ) : (
            // Another list is another piece of work: nothing is chosen in it.
            <AlertsInReview key={JSON.stringify(alertQuery(view))} page={page} view={view} />
          )
        }
      </LiveData>
    </PageBody>
  );
}

interface Act {
  act: AlertAct;
  /** As they were when it began. */
  alerts: readonly Alert[];
}

function AlertsInReview({ page, view }: { page: AlertPage; view: AlertView }) {
  const t = useTranslations('alerts');
  const mayAct = useMay('operator');
  const open = useOpenAlerts();
  const list = useAlertList(page.items, view.group);
  const [act, setAct] = useState<Act | null>(null);
  const begin = (which: AlertAct, ids: readonly string[]): void => {
    const alerts = ids.flatMap((id) => list.find(id) ?? []).filter((alert) => isDue(alert, which));
    if (mayAct === true && alerts.length > 0) setAct({ act: which, alerts });
  };
  const onKey: Record<AlertKey, () => void> = {
    next: () => list.move(1),
    previous: () => list.move(-1),
    choose: () => mayAct !== false && withCursor((id) => list.toggle(id, false)),
    reach: () => mayAct !== false && withCursor((id) => list.toggle(id, true)),
    expand: () => withCursor(list.expand),
    acknowledge: () => begin('acknowledge', actedOn(list.selection)),
    silence: () => begin('silence', actedOn(list.selection)),
    clear: list.clear,
  };
  const withCursor = (then: (id: string) => void): void => {
    const { cursor } = list.selection;
    if (cursor !== null) then(cursor);
  };
  useAlertKeys((key) => onKey[key]());
  const total = view.show === 'open' ? (page.open ?? page.items.length) : page.items.length;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ListBar
        list={list}
        total={total}
        mayAct={mayAct}
        onAcknowledge={() => begin('acknowledge', [...list.selection.chosen])}
        onSilence={() => begin('silence', [...list.selection.chosen])}
      />
      <AlertList
        list={list}
        grouping={view.group}
        mayAct={mayAct}
        acts={{
          toggle: list.toggle,
          expand: list.expand,
          acknowledge: (id) => begin('acknowledge', [id]),
          silence: (id) => begin('silence', [id]),
        }}
      />
      {page.items.length >= ALERT_LIMIT && <Notice>{t('tooMany', { count: ALERT_LIMIT })}</Notice>}
      {act && (
        <ActDialog
          {...act}
          over={overIn(act.alerts, page.items, open.items)}
          onClose={() => setAct(null)}
        />
      )}
    </div>
  );
}
