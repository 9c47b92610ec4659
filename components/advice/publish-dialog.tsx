'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { isReason } from '@/lib/protocol/reason';
import type { TimeoutAdvice, TimeoutsPage } from '@/lib/protocol/advice';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useDurationText } from '@/components/labels';
import { useAction, useTargetId } from '@/components/hooks';
import { DataTable, type Column } from '@/components/ui/data-table';
import { planOf, type Plan, type PlannedWrite } from './publish-writes';

interface Props {
  page: TimeoutsPage;
  what: 'all' | TimeoutAdvice;
  onClose: () => void;
}

/** Shows exactly what would be written, asks for a reason, and closes once it is done. */
export function PublishDialog({ page, what, onClose }: Props) {
  const t = useTranslations('advice.timeouts');
  const target = useTargetId();
  const [reason, setReason] = useState('');
  // What was shown is what is asked for, however the recommendation moves meanwhile.
  const [plan] = useState(() => planOf(page, what));
  const { run, pending, error } = useAction('advice.publish');
  return (
    <FormDialog
      width="lg"
      title={t('publishTitle')}
      description={t('publishText')}
      confirm={{ text: t('publish'), look: 'primary' }}
      isValid={target !== null && isReason(reason) && !isEmpty(plan)}
      pending={pending}
      error={error}
      onSubmit={async () => {
        if (target !== null) await run({ target, classes: plan.classes, reason });
      }}
      onClose={onClose}
    >
      <PlanText plan={plan} />
      <ReasonArea
        label={t('publishReason')}
        hint={t('publishReasonHint')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

const isEmpty = ({ writes, removes }: Plan): boolean => writes.length + removes.length === 0;

const placeOf = ({ db, hash, field }: PlannedWrite): string => `${db}\n${hash}\n${field}`;

function PlanText({ plan }: { plan: Plan }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const columns: Column<PlannedWrite>[] = [
    {
      id: 'place',
      header: t('publishColumns.place'),
      cell: ({ db, hash, field }) => (
        <code className="text-xs break-all whitespace-normal">{`${db}: ${hash} ${field}`}</code>
      ),
    },
    {
      id: 'now',
      header: t('publishColumns.now'),
      align: 'end',
      cell: ({ nowMs }) => (nowMs === null ? t('notPublished') : duration(nowMs)),
    },
    {
      id: 'then',
      header: t('publishColumns.after'),
      align: 'end',
      cell: ({ leaseMs }) => <span className="font-semibold">{duration(leaseMs)}</span>,
    },
  ];
  return (
    <>
      {isEmpty(plan) && <p className="text-sm text-ink-2">{t('publishNothing')}</p>}
      {plan.writes.length > 0 && (
        <div className="max-h-72 min-w-0 overflow-y-auto rounded-md border border-line">
          <DataTable
            caption={t('publishCaption')}
            columns={columns}
            rows={plan.writes}
            rowKey={placeOf}
          />
        </div>
      )}
      {plan.removes.length > 0 && (
        <div className="text-sm text-ink-2">
          <p>{t('publishRemoves')}</p>
          <ul>
            {plan.removes.map(({ db, hash, field }) => (
              <li key={`${db}\n${hash}\n${field}`}>
                <code className="text-xs break-all">{`${db}: ${hash} ${field}`}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {plan.low > 0 && <p className="text-sm text-ink-2">{t('publishLow', { count: plan.low })}</p>}
    </>
  );
}
