'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TimeAgo, useDurationText } from '@/components/labels';
import { CopyButton } from '@/components/ui/copy-button';
import { Panel } from '@/components/ui/panel';
import { SegmentedControl } from '@/components/ui/segmented-control';
import type { LockDetail, RawValueView } from '@/lib/protocol/lock';

type Look = 'text' | 'hex';

/** The key's value as it is in Redis. */
export function RawValuePanel({ raw }: { raw: LockDetail['raw'] }) {
  const t = useTranslations('lock.raw');
  const [look, setLook] = useState<Look>('text');
  return (
    <Panel
      title={t('title')}
      flush
      actions={
        raw &&
        raw.entries.length > 0 && (
          <SegmentedControl
            label={t('show')}
            value={look}
            onChange={setLook}
            options={[
              { value: 'text', label: t('text') },
              { value: 'hex', label: t('hex') },
            ]}
          />
        )
      }
    >
      {raw === null && <p className="p-3 text-sm text-ink-2">{t('notRead')}</p>}
      {raw?.type === 'none' && <p className="p-3 text-sm text-ink-2">{t('none')}</p>}
      {raw && raw.type !== 'none' && <Entries raw={raw} look={look} />}
      {raw && <RawFacts raw={raw} />}
    </Panel>
  );
}

function Entries({ raw, look }: { raw: RawValueView; look: Look }) {
  return (
    <ol className="max-h-72 divide-y divide-line overflow-y-auto">
      {raw.entries.map((entry, index) => (
        <Entry key={index} entry={entry} look={look} />
      ))}
    </ol>
  );
}

function Entry({ entry, look }: { entry: RawValueView['entries'][number]; look: Look }) {
  const t = useTranslations('lock.raw');
  const ui = useTranslations('ui');
  const shown = look === 'text' ? entry.text : entry.hex;
  return (
    <li className="flex items-start gap-2 px-3 py-1.5 font-mono text-xs">
      {entry.name !== null && (
        <bdi dir="ltr" className="max-w-[50%] break-all text-ink-2">
          {entry.name}
        </bdi>
      )}
      <bdi dir="ltr" className="min-w-0 flex-1 break-all whitespace-pre-wrap">
        {shown}
      </bdi>
      <CopyButton
        text={shown}
        label={t('copyValue')}
        copiedLabel={ui('copied')}
        failedLabel={ui('copyFailed')}
        className="-my-1"
      />
    </li>
  );
}

function RawFacts({ raw }: { raw: RawValueView }) {
  const t = useTranslations('lock.raw');
  const duration = useDurationText();
  return (
    <p className="flex flex-wrap gap-x-3 border-t border-line px-3 py-1.5 text-xs text-ink-3">
      {raw.type !== 'none' && (
        <>
          <span>{t('type', { type: raw.type })}</span>
          <span>{t('size', { type: raw.type, count: raw.size })}</span>
          <span>{raw.pttlMs === null ? t('noTtl') : t('ttl', { ttl: duration(raw.pttlMs) })}</span>
        </>
      )}
      {raw.truncated && <span className="text-warning">{t('truncated')}</span>}
      <span>{t.rich('readAt', { ago: () => <TimeAgo at={raw.readAt} /> })}</span>
    </p>
  );
}
