'use client';

import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { ClockTime, EvidenceMark, Figure, KeyText } from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { Button } from '@/components/ui/button';
import { DataTable } from '@/components/ui/data-table';
import { PageLink } from '@/components/ui/page-link';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { AlertCode } from '@/lib/protocol/alert';
import type { DryRun, RuleSetting } from '@/lib/protocol/rules';
import { sameSetting } from './rule-form';
import { UsualList } from './usual-text';

interface Props {
  code: AlertCode;
  lockClass: string | null;
  /** Null while a field cannot be read. */
  setting: RuleSetting | null;
}

interface Asked {
  lockClass: string | null;
  setting: RuleSetting;
}

/** What the setting would have done over the stored history. Asked for by a press: it reads a week. */
export function DryRunPanel({ code, lockClass, setting }: Props) {
  const t = useTranslations('rules.dry');
  const [asked, setAsked] = useState<Asked | null>(null);
  const isCurrent =
    asked !== null &&
    setting !== null &&
    asked.lockClass === lockClass &&
    sameSetting(asked.setting, setting);
  return (
    <section aria-label={t('title')} className="rounded-md border border-line bg-sunken p-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<History size={13} aria-hidden />}
          disabled={setting === null || isCurrent}
          onClick={() => setting && setAsked({ lockClass, setting })}
        >
          {t('run')}
        </Button>
        <p className="text-xs text-ink-3">{t(asked && !isCurrent ? 'changed' : 'hint')}</p>
      </div>
      {asked && <Outcome code={code} asked={asked} />}
    </section>
  );
}

function Outcome({ code, asked }: { code: AlertCode; asked: Asked }) {
  const t = useTranslations('rules.dry');
  const answer = useLive('rule-dry-run', {
    code,
    ...(asked.lockClass !== null && { class: asked.lockClass }),
    setting: asked.setting,
  });
  return (
    <div className="mt-3">
      <LiveData snapshot={answer} loading={<SkeletonRows rows={2} label={t('running')} />}>
        {(run) => <Told run={run} />}
      </LiveData>
    </div>
  );
}

const EXAMPLES = 5;

function Told({ run }: { run: DryRun }) {
  const t = useTranslations('rules.dry');
  if (run.fired === null) {
    return (
      <div className="flex flex-col gap-2 text-sm">
        <p>{t('cannotTell')}</p>
        <UsualList limits={run.limits} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p aria-live="polite">
        <strong className="font-semibold">
          <Figure evidence={run.evidence}>{t('fired', { count: run.fired })}</Figure>
        </strong>{' '}
        {run.firedNow !== null && t('firedNow', { count: run.firedNow })}{' '}
        <span className="text-xs text-ink-3">
          {t('basis', { count: run.basis })} <EvidenceMark evidence={run.evidence} />
        </span>
      </p>
      <UsualList limits={run.limits} />
      {run.classes.length > 1 && (
        <DataTable
          caption={t('byClass')}
          rows={run.classes.slice(0, 8)}
          rowKey={(row) => row.class}
          columns={[
            {
              id: 'class',
              header: t('class'),
              className: 'max-w-72',
              cell: (row) => <KeyText text={row.class} />,
            },
            { id: 'fired', header: t('would'), align: 'end', cell: (row) => row.fired },
            { id: 'now', header: t('now'), align: 'end', cell: (row) => row.firedNow },
          ]}
        />
      )}
      {run.examples.length > 0 && (
        <ul aria-label={t('examples')} className="flex flex-col gap-0.5 text-xs">
          {run.examples.slice(0, EXAMPLES).map((example) => (
            <li key={`${example.at} ${example.label}`} className="flex min-w-0 gap-2">
              <PageLink
                href={`/locks?${new URLSearchParams({ at: `${example.at}`, q: example.label }).toString()}`}
                className="shrink-0 text-accent-ink hover:underline"
              >
                <ClockTime at={example.at} />
              </PageLink>
              <KeyText text={example.label} className="min-w-0" />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
