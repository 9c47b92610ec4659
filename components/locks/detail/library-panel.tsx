'use client';

import { useTranslations } from 'use-intl';
import { FormatLabel, useSaid } from '@/components/labels';
import { ReleaseNotes } from '@/components/locks/release/release-facts';
import { Panel } from '@/components/ui/panel';
import type { LockDetail } from '@/lib/protocol/lock';

/** Which library the lock belongs to, how that is known, and how it takes a release. */
export function LibraryPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.library');
  const say = useSaid();
  const kinds = useTranslations('labels.kinds');
  return (
    <Panel title={t('title')}>
      <p className="text-sm font-medium">
        <FormatLabel format={lock.format} certain={lock.formatCertain} />
        <span className="font-normal text-ink-3"> · {kinds(lock.kind)}</span>
      </p>
      <p className="mt-0.5 text-sm text-ink-2">
        {t('why', { why: say(lock.sentences?.why, lock.library.why) })}
      </p>
      {!lock.formatCertain && <p className="text-xs text-ink-3">{t('uncertain')}</p>}
      {lock.library.releaseNotes.length > 0 && (
        <div className="mt-2.5 text-sm">
          <h3 className="text-xs font-medium text-ink-3">{t('onRelease')}</h3>
          <ReleaseNotes format={lock.format} notes={lock.library.releaseNotes} />
        </div>
      )}
    </Panel>
  );
}
