'use client';

import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Trace } from '@/lib/protocol/trace';
import { Figure } from '@/components/labels';
import { useByteText, useMilliText } from './units';

interface Tile {
  id: string;
  label: string;
  value: string | null;
  hint: string;
}

/** What the trace found so far, and what it costs Redis; a figure that may not be asked for is a "?". */
export function TraceCostTiles({ trace }: { trace: Trace }) {
  const t = useTranslations('traces');
  return (
    <ul
      aria-label={t('cost')}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3 lg:grid-cols-6"
    >
      {useTiles(trace).map(({ id, label, value, hint }) => (
        <CostTile key={id} label={label} value={value} hint={hint} />
      ))}
    </ul>
  );
}

function useTiles({
  attempts,
  failed,
  commands,
  keyCount,
  clientCount,
  cost,
  state,
}: Trace): Tile[] {
  const t = useTranslations('traces.figures');
  const format = useFormatter();
  const bytes = useByteText();
  const milli = useMilliText();
  const percent = (share: number | null): string | null =>
    share === null ? null : format.number(share, { style: 'percent', maximumFractionDigits: 0 });
  const bytesPerSecond = { bytes: bytes(cost.bytesPerSecond) };
  return [
    {
      id: 'failed',
      label: t('failed'),
      value: format.number(failed),
      hint: t('failedHint', { keys: keyCount, clients: clientCount }),
    },
    {
      id: 'attempts',
      label: t('attempts'),
      value: format.number(attempts),
      hint: t('attemptsHint', { commands }),
    },
    {
      id: 'lines',
      label: t('lines'),
      value: format.number(cost.linesPerSecond),
      hint: t(state === 'running' ? 'linesHint' : 'linesOver', bytesPerSecond),
    },
    {
      id: 'ping',
      label: t('ping'),
      value: cost.pingMs === null ? null : milli(cost.pingMs),
      hint: t('pingHint', {
        baseline: cost.pingBaselineMs === null ? '?' : milli(cost.pingBaselineMs),
        worst: cost.pingWorstMs === null ? '?' : milli(cost.pingWorstMs),
      }),
    },
    {
      id: 'cpu',
      label: t('cpu'),
      value: percent(cost.redisCpuShare),
      hint: t('cpuHint', { baseline: percent(cost.redisCpuBaseline) ?? '?' }),
    },
    {
      id: 'buffer',
      label: t('buffer'),
      value: cost.outputBufferBytes === null ? null : bytes(cost.outputBufferBytes),
      hint: t('bufferHint'),
    },
  ];
}

function CostTile({ label, value, hint }: { label: string; value: ReactNode; hint: string }) {
  return (
    <li className="min-w-0 bg-surface px-3 py-2.5">
      <span className="block text-xs text-ink-3">{label}</span>
      <span className="my-0.5 block text-xl font-semibold tracking-tight">
        <Figure evidence="observed">{value}</Figure>
      </span>
      <span className="block text-xs text-ink-3">{hint}</span>
    </li>
  );
}
