'use client';

import { clsx } from 'clsx';
import { Unplug } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Owner } from '@/lib/protocol/lock';
import { KeyText } from './key-text';

/** Who holds or waits: the service or host where that is told, and the token. */
export function OwnerText({ owner, className }: { owner: Owner; className?: string }) {
  const t = useTranslations('labels');
  const place = owner.app ?? owner.host ?? owner.ip;
  const parts = [owner.app, owner.host, owner.ip, owner.pid].filter((part) => part !== null);
  return (
    <span className={clsx('flex min-w-0 items-baseline gap-1.5', className)}>
      {place && (
        <bdi className="min-w-0 truncate" title={parts.join(' · ')}>
          {place}
        </bdi>
      )}
      <KeyText
        text={owner.id}
        aside={place !== null}
        className={place ? 'text-ink-3' : undefined}
      />
      {owner.liveness === 'not-seen' && (
        <span title={t('livenessMeanings.not-seen')} className="shrink-0 self-center text-warning">
          <Unplug size={12} aria-hidden />
          <span className="sr-only">{t('liveness.not-seen')}</span>
        </span>
      )}
    </span>
  );
}
