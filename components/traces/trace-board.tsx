'use client';

import { useTranslations } from 'use-intl';
import type { Trace } from '@/lib/protocol/trace';
import { useLive } from '@/components/hooks';
import { ClockTime } from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import { StopButton } from './stop-button';
import { TraceAccess } from './trace-access';
import { TraceCostTiles } from './trace-cost-tiles';
import { TraceEnd } from './trace-end';
import { TraceProgress } from './trace-progress';
import { TracedClients } from './traced-clients';
import { TracedLocks } from './traced-locks';

/** One trace, live while it runs. */
export function TraceBoard({ id }: { id: string }) {
  return (
    <PageBody>
      <TraceAccess>
        <LiveTrace id={id} />
      </TraceAccess>
    </PageBody>
  );
}

function LiveTrace({ id }: { id: string }) {
  const t = useTranslations('traces');
  const answer = useLive('trace', { id });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <TraceHeader trace={answer.data} />
      <LiveData snapshot={answer}>
        {(trace) => (
          <div className="flex min-w-0 flex-col gap-3">
            {trace.state === 'running' && <TraceProgress trace={trace} />}
            <TraceEnd trace={trace} />
            <TraceCostTiles trace={trace} />
            <Panel title={t('locks')} description={t('locksHint')} flush>
              <TracedLocks target={trace.target} locks={trace.keys} />
            </Panel>
            <Panel title={t('clients')} description={t('clientsHint')} flush>
              <TracedClients clients={trace.clients} />
            </Panel>
          </div>
        )}
      </LiveData>
    </div>
  );
}

const TONE = { running: 'accent', done: 'neutral', stopped: 'warning' } as const;

function TraceHeader({ trace }: { trace: Trace | undefined }) {
  const t = useTranslations('traces');
  const toAll = (
    <PageLink className={buttonClass('ghost')} href="/traces">
      {t('back')}
    </PageLink>
  );
  if (!trace) return <PageHeader title={t('title')} actions={toAll} />;
  const { id, target, state, startedAt, actor, reason } = trace;
  return (
    <PageHeader
      title={t('traceOf', { target })}
      aside={<Badge tone={TONE[state]}>{t(`states.${state}`)}</Badge>}
      description={
        <>
          {t.rich('startedAt', { actor, time: () => <ClockTime at={startedAt} /> })}
          {reason && <span className="text-ink-3"> — {reason}</span>}
        </>
      }
      actions={
        <>
          {toAll}
          {state === 'running' && <StopButton id={id} />}
        </>
      }
    />
  );
}
