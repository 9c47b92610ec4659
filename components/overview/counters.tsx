'use client';

import { clsx } from 'clsx';
import { PageLink } from '@/components/ui/page-link';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Overview } from '@/lib/protocol/measures';
import { Figure } from '@/components/labels';
import { useLoss } from '@/components/live/loss';
import { waitingFigure } from './waiting-figure';

interface Tile {
  id: string;
  label: string;
  href: string;
  value: number | null;
  /** There may be more than `value`. */
  isLeast?: boolean;
  hint: ReactNode;
  tone?: 'warning' | 'critical' | undefined;
}

/** The figures of the moment; each leads to the locks behind it. */
export function Counters({ counters }: { counters: Overview['counters'] }) {
  const t = useTranslations('overview.counters');
  const isLost = useLoss()?.of === 'redis';
  const tiles = useTiles(counters);
  return (
    <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3 lg:grid-cols-5">
      {tiles.map((tile) => (
        <CounterTile key={tile.id} tile={isLost ? asLastSeen(tile, t) : tile} />
      ))}
    </ul>
  );
}

const OF_A_SPAN: readonly string[] = ['waiting', 'lost', 'acquisitions'];

/** What stood when Redis was lost is still told; that nothing was there would be taken for now. */
function asLastSeen(tile: Tile, t: ReturnType<typeof useTranslations<'overview.counters'>>): Tile {
  const isKnown = !OF_A_SPAN.includes(tile.id) && tile.value !== 0;
  return {
    ...tile,
    value: isKnown ? tile.value : null,
    isLeast: false,
    hint: t(isKnown ? 'lastSeen' : 'notSeen'),
  };
}

function useTiles(counters: Overview['counters']): Tile[] {
  const t = useTranslations('overview.counters');
  const { noExpiry, lostPerMinute } = counters;
  return [
    {
      id: 'held',
      label: t('held'),
      href: '/locks?state=held',
      value: counters.held,
      hint: t('coolingDown', { count: counters.coolingDown }),
    },
    {
      id: 'waiting',
      label: t('waiting'),
      href: '/locks?view=waited-for',
      ...waitingFigure(counters),
      hint: <WaitingHint counters={counters} />,
    },
    {
      id: 'no-expiry',
      label: t('noExpiry'),
      href: '/locks?view=no-expiry',
      value: noExpiry,
      hint: noExpiry > 0 ? t('never') : t('allExpire'),
      tone: noExpiry > 0 ? 'critical' : undefined,
    },
    {
      id: 'lost',
      label: t('lost'),
      href: '/locks?view=lost',
      value: lostPerMinute,
      hint: lostPerMinute === null ? t('rateUnknown') : t('lostHint'),
      tone: (lostPerMinute ?? 0) > 0 ? 'warning' : undefined,
    },
    {
      id: 'acquisitions',
      label: t('acquisitions'),
      href: '/locks',
      value: rounded(counters.acquisitionsPerMinute),
      hint:
        counters.acquisitionsPerMinute === null
          ? t('rateUnknown')
          : t('free', { count: counters.free }),
    },
  ];
}

function WaitingHint({ counters }: { counters: Overview['counters'] }) {
  const t = useTranslations('overview.counters');
  const { held, waitingUnknownLocks: unknown, orphanQueues } = counters;
  const { value, isLeast } = waitingFigure(counters);
  if (isLeast) return t('waitingAtLeast', { count: unknown });
  if (value === null)
    return t(unknown < held ? 'waitingUnknown' : 'waitingNowhere', { count: unknown });
  if (orphanQueues > 0) return t('orphans', { count: orphanQueues });
  return held === 0 ? t('nothingHeld') : t('waitingAllSeen');
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value);

const TONE = { warning: 'text-warning', critical: 'text-critical' };

function CounterTile({ tile }: { tile: Tile }) {
  const t = useTranslations('overview.counters');
  const format = useFormatter();
  const figure =
    tile.value === null ? null : format.number(tile.value, { maximumSignificantDigits: 4 });
  const value = tile.isLeast && figure !== null ? t('atLeast', { figure }) : figure;
  return (
    <li className="min-w-0 bg-surface last:max-md:col-span-2 lg:last:col-span-1">
      <PageLink href={tile.href} className="row-focus block h-full px-3 py-2.5 hover:bg-sunken">
        <span className="block text-xs text-ink-3">{tile.label}</span>
        <span
          className={clsx(
            'my-0.5 block text-2xl font-semibold tracking-tight',
            tile.tone && TONE[tile.tone],
          )}
        >
          <Figure evidence={value === null ? 'unknown' : 'observed'}>{value}</Figure>
        </span>
        <span className="block text-xs text-ink-3">{tile.hint}</span>
      </PageLink>
    </li>
  );
}
