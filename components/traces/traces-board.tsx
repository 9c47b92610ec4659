'use client';

import { useTranslations } from 'use-intl';
import type { TracePage } from '@/lib/protocol/trace';
import { useLive } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { buttonClass } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import { PastTraces } from './past-traces';
import { StartForm } from './start-form';
import { StopButton } from './stop-button';
import { TraceAccess } from './trace-access';
import { traceHref } from './trace-href';

/** Start a trace, or go to one that runs or ran. */
export function TracesBoard() {
  const t = useTranslations('traces');
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      <TraceAccess>
        <Traces />
      </TraceAccess>
    </PageBody>
  );
}

function Traces() {
  const t = useTranslations('traces');
  const answer = useLive('traces', {});
  return (
    <LiveData snapshot={answer}>
      {({ items }) => (
        <div className="flex min-w-0 flex-col gap-3">
          <StartOrRunning items={items} />
          <Panel title={t('past')} description={t('pastHint')} flush>
            <PastTraces traces={items.filter(({ state }) => state !== 'running')} />
          </Panel>
        </div>
      )}
    </LiveData>
  );
}

function StartOrRunning({ items }: TracePage) {
  const t = useTranslations('traces');
  const running = items.find(({ state }) => state === 'running');
  if (!running) {
    return (
      <Panel title={t('start')}>
        <StartForm />
      </Panel>
    );
  }
  return (
    <Notice
      title={t('runningNow')}
      actions={
        <>
          <PageLink className={buttonClass()} href={traceHref(running.id)}>
            {t('open')}
          </PageLink>
          <StopButton id={running.id} />
        </>
      }
    >
      {t('runningText', { actor: running.actor })}
    </Notice>
  );
}
