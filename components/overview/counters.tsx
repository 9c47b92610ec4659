'use client';

import { clsx } from 'clsx';
import { PageLink } from '@/components/ui/page-link';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Overview } from '@/lib/protocol/measures';
import { Figure } from '@/components/labels';

interface Tile {
  id: string;
  label: string;
  href: string;
  value: number | null;
  hint: ReactNode;
  tone?: 'warning' | 'critical' | undefined;
}

/** The figures of the moment; each leads to the locks behind it. */
export function Counters({ counters }: { counters: Overview['counters'] }) {
  const t = useTranslations('overview.counters');
  const { waiting, waitingUnknownLocks, noExpiry, lostPerMinute } = counters;
  const tiles: Tile[] = [
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
      value: waiting,
      hint:
        waiting === null
          ? t(counters.held === 0 ? 'nothingHeld' : 'waitingNowhere')
          : waitingUnknownLocks > 0
            ? t('waitingUnknown', { count: waitingUnknownLocks })
            : counters.orphanQueues > 0
              ? t('orphans', { count: counters.orphanQueues })
              : null,
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
      hint: t('lostHint'),
      tone: (lostPerMinute ?? 0) > 0 ? 'warning' : undefined,
    },
    {
      id: 'acquisitions',
      label: t('acquisitions'),
      href: '/locks',
      value: rounded(counters.acquisitionsPerMinute),
      hint: t('free', { count: counters.free }),
    },
  ];
  return (
    <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3 lg:grid-cols-5">
      {tiles.map((tile) => (
        <CounterTile key={tile.id} tile={tile} />
      ))}
    </ul>
  );
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value);

const TONE = { warning: 'text-warning', critical: 'text-critical' };

function CounterTile({ tile }: { tile: Tile }) {
  const format = useFormatter();
  const value =
    tile.value === null ? null : format.number(tile.value, { maximumSignificantDigits: 4 });
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
        <span className="block truncate text-xs text-ink-3">{tile.hint}</span>
      </PageLink>
    </li>
  );
}
