'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { TimeoutAdvice, TimeoutsPage } from '@/lib/protocol/advice';
import { subjectHref } from '@/components/charts/subject';
import { Figure, KeyText, useDurationText } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import { leaseCode } from './timeout-code';
import { VERDICT_TONE } from './timeout-card';

interface ClassName {
  namespace: string;
  class: string;
}

const nameOf = (name: ClassName): string => `${name.namespace}\n${name.class}`;

function ClassLink({ name: { namespace, class: lockClass } }: { name: ClassName }) {
  return (
    <PageLink
      href={subjectHref('/waits', { namespace, class: lockClass })}
      className="flex hover:text-accent-ink hover:underline"
    >
      <KeyText text={lockClass} />
    </PageLink>
  );
}

interface OthersProps {
  items: readonly TimeoutAdvice[];
  /** Left out = this reader may not. */
  onPublish?: ((advice: TimeoutAdvice) => void) | undefined;
}

/** Classes that need no attention. */
export function OtherTimeouts({ items, onPublish }: OthersProps) {
  const t = useTranslations('advice.timeouts');
  const columns = useOtherColumns(onPublish);
  return (
    <Panel title={t('others')} description={t('othersText')} flush>
      <DataTable caption={t('othersCaption')} columns={columns} rows={items} rowKey={nameOf} />
    </Panel>
  );
}

function useOtherColumns(onPublish: OthersProps['onPublish']): Column<TimeoutAdvice>[] {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const say = (ms: number): string => duration(Math.round(ms));
  return [
    {
      id: 'class',
      header: t('class'),
      className: 'max-w-44 sm:max-w-80',
      cell: (row) => <ClassLink name={row} />,
    },
    {
      id: 'recommended',
      header: t('recommended'),
      align: 'end',
      cell: ({ recommendedMs }) => <span className="font-semibold">{say(recommendedMs)}</span>,
    },
    {
      id: 'lease',
      header: t('lease'),
      align: 'end',
      cell: ({ leaseMs }) => (
        <Figure evidence={leaseMs ? 'observed' : 'unknown'}>{leaseMs && say(leaseMs.usual)}</Figure>
      ),
    },
    {
      id: 'p99',
      header: t('p99'),
      align: 'end',
      cell: ({ holdMs, evidence }) => <Figure evidence={evidence}>{say(holdMs.p99)}</Figure>,
    },
    {
      id: 'verdict',
      header: t('verdict'),
      wideOnly: true,
      cell: ({ verdict }) => <Badge tone={VERDICT_TONE[verdict]}>{t(`verdicts.${verdict}`)}</Badge>,
    },
    {
      id: 'confidence',
      header: t('confidence'),
      wideOnly: true,
      cell: ({ confidence }) => (
        <span title={t(`confidenceWhy.${confidence}`)}>{t(`confidences.${confidence}`)}</span>
      ),
    },
    {
      id: 'acts',
      header: <span className="sr-only">{t('code')}</span>,
      align: 'end',
      cell: (row) => <RowActs advice={row} onPublish={onPublish} />,
    },
  ];
}

function RowActs({
  advice,
  onPublish,
}: {
  advice: TimeoutAdvice;
  onPublish: OthersProps['onPublish'];
}) {
  const t = useTranslations('advice.timeouts');
  const ui = useTranslations('ui');
  return (
    <span className="inline-flex items-center gap-1">
      <CopyButton
        text={leaseCode(advice)}
        label={t('copy')}
        copiedLabel={ui('copied')}
        failedLabel={ui('copyFailed')}
      />
      {onPublish && advice.publish && (
        <Button look="ghost" onClick={() => onPublish(advice)}>
          {t('publish')}
        </Button>
      )}
    </span>
  );
}

type Silent = TimeoutsPage['silent'][number];

/** Named with the reason, so that silence is not read as "all is well". */
export function SilentTimeouts({ silent }: { silent: readonly Silent[] }) {
  const t = useTranslations('advice.timeouts');
  const format = useFormatter();
  const columns: Column<Silent>[] = [
    {
      id: 'class',
      header: t('class'),
      className: 'max-w-44 sm:max-w-80',
      cell: (row) => <ClassLink name={row} />,
    },
    {
      id: 'holds',
      header: t('silentHolds'),
      align: 'end',
      cell: ({ holds }) => format.number(holds),
    },
    {
      id: 'because',
      header: t('silent'),
      className: 'whitespace-normal! text-ink-2',
      cell: ({ because }) => t(`because.${because}`),
    },
  ];
  return (
    <Panel title={t('silent')} description={t('silentText')} flush>
      <DataTable caption={t('silentCaption')} columns={columns} rows={silent} rowKey={nameOf} />
    </Panel>
  );
}
