'use client';

import { Pin as PinIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormatLabel, KeyText, useSaid } from '@/components/labels';
import { PinDialog } from '@/components/pins/pin-dialog';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { Discovery, Proposal } from '@/lib/protocol/libraries';
import { useMayOperate } from './use-may-operate';

const TONE = { certain: 'ok', likely: 'info', 'looks-like': 'warning' } as const;

interface Props {
  run: Discovery;
  target: string | undefined;
}

/** The patterns that look like locks, the surest first, each ready to be pinned. */
export function ProposalList({ run, target }: Props) {
  const t = useTranslations('discover');
  const [pinning, setPinning] = useState<Proposal | null>(null);
  if (run.proposals.length === 0) {
    return run.state === 'running' ? (
      <p className="text-sm text-ink-3">{t('nothingYet')}</p>
    ) : (
      <EmptyState title={t(run.ended === 'all-seen' ? 'nothing' : 'nothingSoFar')}>
        {t('nothingText')}
      </EmptyState>
    );
  }
  return (
    <section aria-label={t('proposals')} className="min-w-0">
      <h3 className="mb-1.5 text-sm font-semibold">{t('proposals')}</h3>
      <ul className="flex min-w-0 flex-col divide-y divide-line rounded-md border border-line">
        {run.proposals.map((proposal) => (
          <li key={proposal.pattern} className="min-w-0 p-3">
            <ProposalCard
              proposal={proposal}
              onPin={target === undefined ? null : () => setPinning(proposal)}
            />
          </li>
        ))}
      </ul>
      {pinning && target !== undefined && (
        <PinDialog
          target={target}
          pattern={pinning.pattern}
          candidates={pinning.formats}
          onClose={() => setPinning(null)}
        />
      )}
    </section>
  );
}

interface CardProps {
  proposal: Proposal;
  onPin: (() => void) | null;
}

function ProposalCard({ proposal, onPin }: CardProps) {
  const t = useTranslations('discover');
  const libraries = useTranslations('libraries');
  const mayOperate = useMayOperate();
  const { pattern, sure, watched, contended, canPin, types, examples } = proposal;
  const { keys, sampled, withTtl } = proposal;
  const why = mayOperate ? (canPin ? undefined : t('tooWide')) : libraries('needsRole');
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <KeyText text={pattern} full className="font-medium" />
        <Badge tone={TONE[sure]} title={t(`sureMeanings.${sure}`)}>
          {t(`sure.${sure}`)}
        </Badge>
        {contended > 0 && <Badge tone="accent">{t('contended', { count: contended })}</Badge>}
        {watched && <Badge tone="ok">{t('isWatched')}</Badge>}
        <Button
          className="ml-auto"
          icon={<PinIcon size={13} aria-hidden />}
          disabled={onPin === null || why !== undefined}
          title={why}
          aria-label={t('pinTitle', { pattern })}
          onClick={onPin ?? undefined}
        >
          {t('pin')}
        </Button>
      </div>
      <Formats proposal={proposal} />
      <p className="text-xs text-ink-3">
        {t('facts', { keys, sampled, withTtl })}
        {types.length > 0 && ` · ${t('types', { types: types.join(', ') })}`}
      </p>
      {!canPin && <p className="text-xs text-warning">{t('tooWide')}</p>}
      {examples.length > 0 && (
        <p className="flex min-w-0 flex-wrap gap-x-2 text-xs text-ink-3">
          {t('examples')}
          {examples.map((example) => (
            <KeyText key={example} text={example} className="max-w-full text-ink-2" />
          ))}
        </p>
      )}
    </div>
  );
}

function Formats({ proposal: { formats, sampled } }: { proposal: Proposal }) {
  const t = useTranslations('discover');
  const say = useSaid();
  return (
    <ul className="flex min-w-0 flex-col text-sm">
      {formats.map(({ id, certainty, because, sentences, fits }) => (
        <li key={id} className="min-w-0 break-words">
          <FormatLabel format={id} certain={certainty === 'certain'} />
          <span className="text-ink-2">
            {' · '}
            {t('because', { why: say(sentences, because), fits, sampled })}
          </span>
        </li>
      ))}
    </ul>
  );
}
