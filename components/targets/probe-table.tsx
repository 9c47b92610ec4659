'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { ProbeLoad } from '@/lib/protocol/target';
import { DataTable, type Column } from '@/components/ui/data-table';

/** Of one core, which has a million microseconds a second. */
const USEC_PER_PERCENT = 10_000;

/** What is asked of this Redis to see who waits, and what it costs. */
export function ProbeTable({ probes }: { probes: readonly ProbeLoad[] }) {
  const t = useTranslations('targets');
  const format = useFormatter();
  const figure = (value: number): string => format.number(value, { maximumSignificantDigits: 3 });
  const columns: Column<ProbeLoad>[] = [
    {
      id: 'kind',
      header: t('probes.kind'),
      cell: ({ kind }) => (
        <>
          {t(`probes.kinds.${kind}.name`)}
          <span className="block text-xs text-wrap text-ink-3">
            {t(`probes.kinds.${kind}.meaning`)}
          </span>
        </>
      ),
      className: 'w-full',
    },
    {
      id: 'perSecond',
      header: t('probes.perSecond'),
      cell: ({ perSecond }) => t('probes.rate', { rate: figure(perSecond) }),
      align: 'end',
    },
    {
      id: 'asked',
      header: t('probes.asked'),
      cell: ({ locks }) => format.number(locks),
      align: 'end',
      wideOnly: true,
    },
    {
      id: 'last',
      header: t('probes.last'),
      cell: ({ lastMs }) => (lastMs === null ? '–' : t('probes.ms', { ms: figure(lastMs) })),
      align: 'end',
    },
    {
      id: 'spent',
      header: <span title={t('probes.spentMeaning')}>{t('probes.spent')}</span>,
      cell: ({ usecPerSecond }) =>
        usecPerSecond === null
          ? '–'
          : t('probes.share', { share: figure(usecPerSecond / USEC_PER_PERCENT) }),
      align: 'end',
    },
  ];
  return (
    <DataTable
      caption={t('probes.title')}
      columns={columns}
      rows={probes}
      rowKey={({ kind }) => kind}
      empty={<p className="p-3 text-sm text-ink-2">{t('probes.none')}</p>}
    />
  );
}
