'use client';

import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/alerts/use-may';
import { useLive, useUrlParams } from '@/components/hooks';
import { useAlertCodeOptions } from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Checkbox } from '@/components/ui/field';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import type { AlertCode } from '@/lib/protocol/alert';
import { RuleDialog } from './rule-dialog';
import { isChanged, RuleTable } from './rule-table';

interface Edited {
  code: AlertCode;
  /** Null = for all classes. */
  lockClass: string | null;
  /** An exception that is not there yet: its class is still to be named. */
  isNew?: boolean;
}

/** When each kind of alert fires, and where somebody changed that. */
export function RulesBoard() {
  const t = useTranslations('rules');
  const codes = useAlertCodeOptions();
  const url = useUrlParams();
  const answer = useLive('rules', {});
  const [edited, setEdited] = useState<Edited | null>(null);
  const mayChange = useMay('admin');
  const q = url.get('q') ?? '';
  const onlyChanged = url.get('changed') === '1';
  const named = codes.filter(([code, name]) =>
    `${code} ${name}`.toLowerCase().includes(q.toLowerCase()),
  );
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput
          label={t('search')}
          placeholder={t('search')}
          value={q}
          onChange={(text) => url.set({ q: text }, 'replace')}
          className="min-w-40 flex-1 sm:max-w-72"
        />
        <Checkbox
          label={t('onlyChanged')}
          checked={onlyChanged}
          onChange={({ target }) => url.set({ changed: target.checked ? '1' : null }, 'replace')}
        />
        {mayChange === false && <p className="text-xs text-ink-3">{t('viewerCannot')}</p>}
      </div>
      <LiveData snapshot={answer}>
        {({ rules }) => {
          const shown = named.flatMap(([wanted]) =>
            rules.filter((rule) => rule.code === wanted && (!onlyChanged || isChanged(rule))),
          );
          const rule = rules.find(({ code }) => code === edited?.code);
          return (
            <>
              <div className="rounded-lg border border-line bg-surface">
                {shown.length === 0 ? (
                  <EmptyState
                    icon={<SearchX size={22} aria-hidden />}
                    title={t('noMatch')}
                    actions={
                      <Button onClick={() => url.set({ q: null, changed: null })}>
                        {t('showAll')}
                      </Button>
                    }
                  />
                ) : (
                  <RuleTable
                    rules={shown}
                    onEdit={({ code }, lockClass) => setEdited({ code, lockClass })}
                    onAdd={({ code }) => setEdited({ code, lockClass: null, isNew: true })}
                  />
                )}
              </div>
              {edited && rule && (
                <RuleDialog
                  rule={rule}
                  lockClass={edited.lockClass}
                  isNew={edited.isNew ?? false}
                  onClose={() => setEdited(null)}
                />
              )}
            </>
          );
        }}
      </LiveData>
    </PageBody>
  );
}
