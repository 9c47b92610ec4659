'use client';

import { clsx } from 'clsx';
import { Unplug } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Owner } from '@/lib/protocol/lock';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import { KeyText } from './key-text';
import { NoOwner } from './no-owner';
import { endOf } from './truncate';

const TITLE_MAX = 600;

interface Props {
  owner: Owner;
  /** In a narrow column the name matters most: of the token only the end stands beside it. */
  short?: boolean;
  className?: string;
}

/** Who holds or waits: the service or host where that is told, and the token. */
export function OwnerText({ owner, short = false, className }: Props) {
  const t = useTranslations('labels');
  if (owner.id === NO_OWNER_ID) return <NoOwner />;
  const place = owner.app ?? owner.host ?? owner.ip;
  const parts = [owner.app, owner.host, owner.ip, owner.pid].filter((part) => part !== null);
  return (
    <span className={clsx('flex min-w-0 items-baseline gap-1.5', className)}>
      {place && (
        <bdi
          className={clsx('truncate', short ? 'min-w-0' : 'max-w-[60%] shrink-0')}
          title={parts.join(' · ')}
        >
          {place}
        </bdi>
      )}
      {place && short ? (
        <bdi
          dir="ltr"
          title={owner.id.slice(0, TITLE_MAX)}
          className="shrink-0 font-mono text-[0.95em] whitespace-pre text-ink-3"
        >
          {endOf(owner.id)}
        </bdi>
      ) : (
        <KeyText text={owner.id} className={place ? 'text-ink-3' : undefined} />
      )}
      {owner.liveness === 'not-seen' && (
        <span title={t('livenessMeanings.not-seen')} className="shrink-0 self-center text-warning">
          <Unplug size={12} aria-hidden />
          <span className="sr-only">{t('liveness.not-seen')}</span>
        </span>
      )}
    </span>
  );
}
