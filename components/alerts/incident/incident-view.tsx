'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ActDialog } from '@/components/alerts/act-dialog';
import { isDue } from '@/components/alerts/act-scope';
import { similarTo } from '@/components/alerts/silences/matching';
import { SilenceDialog } from '@/components/alerts/silences/silence-dialog';
import type { AlertAct } from '@/components/alerts/use-act-on';
import { useMay } from '@/components/alerts/use-may';
import { readMoment, useUrlParams } from '@/components/hooks';
import { ClockTime } from '@/components/labels';
import { Button, buttonClass } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { Alert, AlertDetail } from '@/lib/protocol/alert';
import { HandOver } from './hand-over';
import { Impact, IncidentLabels, WhatToDo, WhoCares } from './incident-facts';
import { IncidentHead } from './incident-head';
import { IncidentLocks } from './incident-locks';
import { Timeline } from './timeline';

/** All about one alert. */
export function IncidentView({ detail }: { detail: AlertDetail }) {
  const { alert, impact } = detail;
  const handedOverAt = readMoment(useUrlParams().get('at'));
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <IncidentHead alert={alert} actions={<Acts alert={alert} />} />
      {handedOverAt !== null && <HandedOverNotice detail={detail} at={handedOverAt} />}
      <div className="grid min-w-0 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
        <WhatToDo alert={alert} />
        <div className="flex min-w-0 flex-col gap-3 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <IncidentLocks alert={alert} />
          <WhoCares alert={alert} />
          {impact && <Impact impact={impact} />}
          <IncidentLabels alert={alert} />
        </div>
        <Timeline detail={detail} handedOverAt={handedOverAt} />
      </div>
    </div>
  );
}

function HandedOverNotice({ detail, at }: { detail: AlertDetail; at: number }) {
  const t = useTranslations('incident');
  const { set } = useUrlParams();
  const after = detail.events.filter((event) => event.at > at).length;
  return (
    <Notice
      title={t.rich('handedOverAt', { time: () => <ClockTime at={at} /> })}
      actions={<Button onClick={() => set({ at: null })}>{t('handOverDone')}</Button>}
    >
      {t('sinceThen', { count: after })}
    </Notice>
  );
}

type Asked = AlertAct | 'similar';

function Acts({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const mayAct = useMay('operator');
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const isOver = alert.state === 'resolved';
  return (
    <>
      {isDue(alert, 'acknowledge') && (
        <Button look="primary" disabled={mayAct !== true} onClick={() => setAsked('acknowledge')}>
          {t('acknowledge')}
        </Button>
      )}
      {isDue(alert, 'silence') && (
        <Button disabled={mayAct !== true} onClick={() => setAsked('silence')}>
          {t('silence')}
        </Button>
      )}
      <Button look="ghost" disabled={mayAct !== true} onClick={() => setAsked('similar')}>
        {t('silenceSimilar')}
      </Button>
      <HandOver alert={alert} />
      <Exports alert={alert} />
      {mayAct === false && <p className="basis-full text-xs text-ink-3">{t('viewerCannot')}</p>}
      {(asked === 'acknowledge' || asked === 'silence') && (
        <ActDialog
          alerts={[alert]}
          act={asked}
          over={new Set(isOver ? [alert.id] : [])}
          onClose={close}
        />
      )}
      {asked === 'similar' && <SilenceDialog matcher={similarTo(alert)} onClose={close} />}
    </>
  );
}

const EXPORTS = ['markdown', 'json'] as const;

/** What a person pastes into a post-mortem, and what a program reads. */
function Exports({ alert }: { alert: Alert }) {
  const t = useTranslations('incident');
  return EXPORTS.map((as) => (
    <a
      key={as}
      download
      href={`/api/v1/alerts/${encodeURIComponent(alert.id)}/export?as=${as}`}
      className={buttonClass('ghost')}
    >
      <Download size={13} aria-hidden />
      {t(`exports.${as}`)}
    </a>
  ));
}
