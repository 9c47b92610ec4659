'use client';

import { useTranslations } from 'use-intl';
import { KeyText, useSaid } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { DataTable } from '@/components/ui/data-table';
import { Notice } from '@/components/ui/notice';
import type { ReleaseManyResult } from '@/lib/protocol/actions';
import type { Lock } from '@/lib/protocol/lock';

type Result = ReleaseManyResult['results'][number];

const TONE = { released: 'ok', refused: 'warning', failed: 'critical' } as const;

/** The outcome of each release of a bulk, and their sums. */
export function BulkResults({ outcome, items }: { outcome: ReleaseManyResult; items: Lock[] }) {
  const t = useTranslations('locks.bulk');
  const say = useSaid();
  const count = (wanted: Result['outcome']) =>
    outcome.results.filter((result) => result.outcome === wanted).length;
  const keys = new Map(items.map((lock) => [`${lock.db}:${lock.keyB64}`, lock.key]));
  const sums = { released: count('released'), refused: count('refused'), failed: count('failed') };
  return (
    <div className="flex flex-col gap-3">
      <Notice tone={sums.refused + sums.failed > 0 ? 'warning' : 'ok'} polite>
        {t('done', sums)}
      </Notice>
      <div className="max-h-80 overflow-y-auto rounded-md border border-line">
        <DataTable
          caption={t('resultsLabel')}
          rows={outcome.results}
          rowKey={(result) => `${result.db}:${result.keyB64}`}
          columns={[
            {
              id: 'key',
              header: t('listLabel'),
              className: 'max-w-64',
              cell: (result) => (
                <KeyText text={keys.get(`${result.db}:${result.keyB64}`) ?? result.keyB64} />
              ),
            },
            {
              id: 'outcome',
              header: t('resultsLabel'),
              cell: (result) => (
                <Badge tone={TONE[result.outcome]}>{t(`outcomes.${result.outcome}`)}</Badge>
              ),
            },
            {
              id: 'message',
              header: t('because'),
              className: 'whitespace-normal! text-ink-2',
              cell: ({ message, sentences }) => message && say(sentences, message),
            },
          ]}
        />
      </div>
    </div>
  );
}
