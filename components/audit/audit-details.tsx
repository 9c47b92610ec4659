'use client';

import { useTranslations } from 'use-intl';
import type { AuditEntry } from '@/lib/protocol/audit';
import { useExactTimeText } from '@/components/labels';
import { KeyValue } from '@/components/ui/key-value';

/** Everything recorded about one act. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('audit');
  const exact = useExactTimeText();
  const mono = (text: string | null) => (
    <span className="font-mono text-xs break-all">{text ?? '–'}</span>
  );
  return (
    <div className="grid max-w-5xl gap-3 md:grid-cols-2">
      <KeyValue
        className="md:col-span-2"
        items={[
          { label: t('seq'), value: entry.seq },
          { label: t('columns.at'), value: exact(entry.at) },
          { label: t('columns.actor'), value: entry.actor },
          { label: t('columns.reason'), value: entry.reason ?? '–' },
          ...(entry.businessId === null
            ? []
            : [{ label: t('businessId'), value: entry.businessId }]),
          ...(entry.code === null ? [] : [{ label: t('code'), value: mono(entry.code) }]),
          { label: t('request'), value: mono(entry.requestId) },
          { label: t('prevHash'), value: mono(entry.prevHash) },
          { label: t('hash'), value: mono(entry.hash) },
        ]}
      />
      <Json title={t('before')} value={entry.before} />
      <Json title={t('after')} value={entry.after} />
    </div>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  const t = useTranslations('audit');
  const isNothing = value === null || value === undefined;
  return (
    <div className="min-w-0">
      <p className="mb-1 text-xs font-medium text-ink-3">{title}</p>
      {isNothing ? (
        <p className="text-xs text-ink-3">{t('nothing')}</p>
      ) : (
        <pre className="max-h-72 overflow-auto rounded-md border border-line bg-surface p-2 font-mono text-xs break-all whitespace-pre-wrap">
          {JSON.stringify(value, null, 2)}
        </pre>
      )}
    </div>
  );
}
