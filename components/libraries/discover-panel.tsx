'use client';

import { ScanSearch } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLive, useUrlParams } from '@/components/hooks';
import { useClockText } from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/field';
import { Panel } from '@/components/ui/panel';
import type { LibrariesPage } from '@/lib/protocol/libraries';
import type { Target } from '@/lib/protocol/target';
import { DiscoverForm } from './discover-form';
import { ProposalList } from './proposal-list';
import { RunProgress } from './run-progress';

type Run = LibrariesPage['discoveries'][number];

interface Props {
  /** Newest first. */
  runs: readonly Run[];
  target: Target | undefined;
}

/** Begins a run that looks for locks, and shows one: the newest, or that of the address. */
export function DiscoverPanel({ runs, target }: Props) {
  const t = useTranslations('discover');
  const url = useUrlParams();
  const shown = url.get('run') ?? runs[0]?.id ?? null;
  const isRunning = runs.some(({ state }) => state === 'running');
  return (
    <Panel
      title={t('title')}
      description={t('hint')}
      actions={
        runs.length > 1 && (
          <RunSelect runs={runs} shown={shown} onChange={(run) => url.set({ run })} />
        )
      }
    >
      <div className="flex min-w-0 flex-col gap-3">
        <DiscoverForm target={target} isRunning={isRunning} onBegun={(run) => url.set({ run })} />
        {shown === null ? (
          <EmptyState icon={<ScanSearch size={22} aria-hidden />} title={t('none')}>
            {t('noneText')}
          </EmptyState>
        ) : (
          <RunView key={shown} id={shown} target={target?.id} />
        )}
      </div>
    </Panel>
  );
}

function RunView({ id, target }: { id: string; target: string | undefined }) {
  const answer = useLive('discovery', { id });
  return (
    <LiveData snapshot={answer}>
      {(run) => (
        <div className="flex min-w-0 flex-col gap-3">
          <RunProgress run={run} />
          <ProposalList run={run} target={target} />
        </div>
      )}
    </LiveData>
  );
}

interface RunSelectProps {
  runs: readonly Run[];
  shown: string | null;
  onChange: (run: string) => void;
}

function RunSelect({ runs, shown, onChange }: RunSelectProps) {
  const t = useTranslations('discover');
  const clock = useClockText();
  return (
    <Select
      aria-label={t('runs')}
      className="max-w-64"
      value={shown ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      {runs.map(({ id, startedAt, actor }) => (
        <option key={id} value={id}>
          {t('run', { time: clock(startedAt), actor })}
        </option>
      ))}
    </Select>
  );
}
