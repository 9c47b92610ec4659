'use client';

import { useFormatter, useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { TimeAgo, useDurationText } from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { KeyValue } from '@/components/ui/key-value';
import { Meter } from '@/components/ui/meter';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import type { HistoryKept } from '@/lib/protocol/measures';

/** What is kept of the past: how finely, since when, and what it takes on disk. */
export function HistoryKeptPanel() {
  const t = useTranslations('settings.kept');
  const answer = useLive('history', {});
  return (
    <Panel title={t('title')} description={t('description')}>
      <LiveData snapshot={answer}>{(kept) => <Kept kept={kept} />}</LiveData>
    </Panel>
  );
}

function Kept({ kept }: { kept: HistoryKept }) {
  const t = useTranslations('settings.kept');
  const duration = useDurationText();
  const since = (from: number | null) => (from === null ? t('nothingYet') : <TimeAgo at={from} />);
  return (
    <div className="flex flex-col gap-3">
      {kept.cutAt !== null && (
        <Notice tone="warning" title={t('cut')}>
          {t.rich('cutText', { ago: () => <TimeAgo at={kept.cutAt ?? 0} /> })}
        </Notice>
      )}
      {kept.lostRows > 0 && (
        <Notice tone="critical" title={t('lost', { count: kept.lostRows })}>
          {t('lostText')}
        </Notice>
      )}
      <KeyValue
        items={[
          { label: t('database'), value: t(`kinds.${kept.kind}`) },
          { label: t('disk'), value: <Disk kept={kept} /> },
          {
            label: t('holds'),
            value: t.rich('keptFor', {
              duration: duration(kept.holds.keepMs),
              since: () => since(kept.holds.from),
            }),
          },
          ...kept.tiers.map((tier) => ({
            label: t('tier', { span: duration(tier.spanMs) }),
            value: t.rich('keptFor', {
              duration: duration(tier.keepMs),
              since: () => since(tier.from),
            }),
          })),
          { label: t('gaps'), value: t('gapCount', { count: kept.gaps.length }) },
        ]}
      />
    </div>
  );
}

/** How much of the bound is used. */
function Disk({ kept: { diskBytes, maxBytes } }: { kept: HistoryKept }) {
  const t = useTranslations('settings.kept');
  const bytes = useBytesText();
  if (diskBytes === null) return t('unknownSize');
  if (maxBytes === null) return t('withoutBound', { used: bytes(diskBytes) });
  const share = diskBytes / maxBytes;
  return (
    <span className="flex max-w-64 flex-col gap-1">
      {t('ofBound', { used: bytes(diskBytes), bound: bytes(maxBytes) })}
      <Meter share={share} tone={share > 0.9 ? 'warning' : 'accent'} label={t('diskLabel')} />
    </span>
  );
}

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes in the unit that suits them, of 1,000 each as disks are sold. */
function useBytesText(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3) - 1));
    return format.number(bytes / 1000 ** (step + 1), {
      style: 'unit',
      unit: UNITS[step] ?? 'kilobyte',
      maximumFractionDigits: 1,
    });
  };
}
