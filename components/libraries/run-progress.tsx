'use client';

import { Square } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { DurationText, ErrorText } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { KeyValue } from '@/components/ui/key-value';
import { Meter } from '@/components/ui/meter';
import { Notice } from '@/components/ui/notice';
import type { Discovery } from '@/lib/protocol/libraries';
import { useMayOperate } from './use-may-operate';

const TONE = { running: 'accent', done: 'ok', stopped: 'neutral', failed: 'critical' } as const;

/** How far a run has come, what it costs, and what ended it. */
export function RunProgress({ run }: { run: Discovery }) {
  const t = useTranslations('discover');
  const errors = useTranslations('errors');
  const mayOperate = useMayOperate();
  const stop = useAction('format.discover-stop');
  const { state, ended, scanned, keysInDb, maxKeys } = run;
  const goal = keysInDb === null ? maxKeys : Math.min(keysInDb, maxKeys);
  const isRunning = state === 'running';
  // Keys come and go during a run, so that of all there are it rarely sees as many as there were.
  const progress =
    keysInDb === null || ended === 'all-seen'
      ? t('progressUnknown', { scanned })
      : t('progress', { scanned, keys: keysInDb });
  return (
    <section className="flex min-w-0 flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={TONE[state]}>{t(`states.${state}`)}</Badge>
        <span>{progress}</span>
        <span className="text-ink-3">{run.actor}</span>
        {isRunning && (
          <Button
            className="ml-auto"
            icon={<Square size={12} aria-hidden />}
            disabled={!mayOperate}
            pending={stop.pending}
            onClick={() => {
              // The action keeps the error, and it is shown below.
              stop.run({ id: run.id }).catch(() => undefined);
            }}
          >
            {t('stop')}
          </Button>
        )}
      </div>
      {isRunning && <Meter share={goal === 0 ? 1 : scanned / goal} label={progress} />}
      {ended !== null && (
        <p className="text-sm break-words text-ink-2">
          {ended === 'failed'
            ? t('ends.failed', { error: run.failedBecause ?? '' })
            : t(`ends.${ended}`)}
        </p>
      )}
      {stop.error && (
        <Notice tone="critical" role="alert" title={errors(stop.error.code)}>
          <ErrorText error={stop.error} />
        </Notice>
      )}
      <Figures run={run} />
    </section>
  );
}

function Figures({ run }: { run: Discovery }) {
  const t = useTranslations('discover');
  const format = useFormatter();
  const { channels, pingMs } = run;
  return (
    <KeyValue
      className="sm:grid-cols-[minmax(6.5rem,auto)_minmax(0,1fr)_minmax(6.5rem,auto)_minmax(0,1fr)]"
      items={[
        { label: t('watched'), value: format.number(run.watched) },
        {
          label: t('pace'),
          value: t('paceText', { rate: run.keysPerSecond, limit: run.rateLimit }),
        },
        { label: t('sampled'), value: format.number(run.sampled) },
        {
          label: t('ping'),
          value: pingMs === null ? '–' : t('pingText', { ms: pingMs.toFixed(1) }),
        },
        { label: t('classes'), value: format.number(run.classes) },
        { label: t('elapsed'), value: <DurationText ms={run.elapsedMs} /> },
        {
          label: t('channels'),
          value:
            channels === null
              ? run.ended === 'failed'
                ? '–'
                : t('channelsUnknown')
              : format.number(channels),
        },
      ]}
    />
  );
}
