'use client';

import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/alerts/use-may';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction, useLive } from '@/components/hooks';
import { AlertCodeLabel, ClockTime, Countdown, KeyText } from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { Button } from '@/components/ui/button';
import { DataTable } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { isReason } from '@/lib/protocol/reason';
import type { Matcher, Silence } from '@/lib/protocol/rules';
import { SilenceDialog } from './silence-dialog';

/** Which alerts are kept quiet by what they have in common, until when, by whom and why. */
export function SilencesBoard() {
  const t = useTranslations('silences');
  const answer = useLive('rules', {});
  const mayAct = useMay('operator');
  const [isAdding, setIsAdding] = useState(false);
  const [ended, setEnded] = useState<Silence | null>(null);
  const add = (
    <Button look="primary" disabled={mayAct !== true} onClick={() => setIsAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} actions={add} />
      {mayAct === false && <p className="text-xs text-ink-3">{t('viewerCannot')}</p>}
      <LiveData snapshot={answer}>
        {({ silences }) => (
          <div className="rounded-lg border border-line bg-surface">
            <DataTable
              caption={t('table')}
              rows={silences}
              rowKey={({ id }) => id}
              empty={
                <EmptyState icon={<BellOff size={22} aria-hidden />} title={t('none')}>
                  {t('noneText')}
                </EmptyState>
              }
              columns={[
                {
                  id: 'matcher',
                  header: t('matcher'),
                  className: 'min-w-56 max-w-xl whitespace-normal!',
                  cell: ({ matcher }) => <MatcherText matcher={matcher} />,
                },
                {
                  id: 'until',
                  header: t('until'),
                  cell: ({ until }) => (
                    <>
                      <ClockTime at={until} />{' '}
                      <span className="text-xs text-ink-3">
                        (<Countdown deadline={until} />)
                      </span>
                    </>
                  ),
                },
                {
                  id: 'matching',
                  header: t('matching'),
                  align: 'end',
                  cell: ({ matching }) => matching,
                },
                {
                  id: 'by',
                  header: t('by'),
                  className: 'max-w-80 whitespace-normal!',
                  cell: ({ actor, reason }) => (
                    <>
                      <bdi className="font-medium">{actor}</bdi>{' '}
                      <span className="break-words text-ink-2">{reason}</span>
                    </>
                  ),
                },
                {
                  id: 'acts',
                  header: <span className="sr-only">{t('acts')}</span>,
                  align: 'end',
                  cell: (silence) => (
                    <Button disabled={mayAct !== true} onClick={() => setEnded(silence)}>
                      {t('end')}
                    </Button>
                  ),
                },
              ]}
            />
          </div>
        )}
      </LiveData>
      {isAdding && <SilenceDialog onClose={() => setIsAdding(false)} />}
      {ended && <EndDialog silence={ended} onClose={() => setEnded(null)} />}
    </PageBody>
  );
}

const TEXTS = ['class', 'namespace', 'owner', 'key'] as const;

function MatcherText({ matcher }: { matcher: Matcher }) {
  const t = useTranslations('silences');
  const labels = useTranslations('labels');
  const ui = useTranslations('ui.fitting');
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
      {matcher.code && (
        <span className="font-medium">
          <AlertCodeLabel code={matcher.code} />
        </span>
      )}
      {matcher.severity && <span>{labels(`severities.${matcher.severity}`)}</span>}
      {TEXTS.map((name) => {
        const value = matcher[name];
        const isPattern = name === 'key' || typeof value === 'object';
        const field = t(`fields.${name}`);
        return (
          value !== undefined && (
            <span key={name} className="flex min-w-0 items-baseline gap-1">
              <span className="shrink-0 text-xs text-ink-3">
                {isPattern ? ui('pattern', { field }) : field}
              </span>
              <KeyText text={typeof value === 'string' ? value : value.glob} />
            </span>
          )
        );
      })}
    </span>
  );
}

function EndDialog({ silence, onClose }: { silence: Silence; onClose: () => void }) {
  const t = useTranslations('silences');
  const { run, pending, error } = useAction('silence.end');
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('endTitle')}
      description={t('endText', { count: silence.matching })}
      confirm={{ text: t('end'), look: 'primary' }}
      isValid={isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => run({ id: silence.id, reason: reason.trim() })}
      onClose={onClose}
    >
      <MatcherText matcher={silence.matcher} />
      <ReasonArea label={t('reason')} hint={t('reasonHint')} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
