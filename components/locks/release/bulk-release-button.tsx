'use client';

import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import type { LockFilter } from '@/lib/protocol/queries';

// Seldom needed, and large: loaded when it is first opened.
const BulkReleaseDialog = dynamic(
  () => import('./bulk-release-dialog').then((module) => module.BulkReleaseDialog),
  { ssr: false },
);

/** As `release-many` takes at most. */
const MAX_AT_ONCE = 500;

interface Props {
  filter: LockFilter;
  /** By a condition of the operator's own. */
  isNarrowed: boolean;
  /** Locks of the list that are held and can be released from here; null where not counted. */
  releasable: number | null;
}

/** For operators: releases what the list shows, after a look at exactly what. */
export function BulkReleaseButton({ filter, isNarrowed, releasable }: Props) {
  const t = useTranslations('locks.bulk');
  const session = useSession();
  const why = useId();
  const [opened, setOpened] = useState<LockFilter | null>(null);
  if (!session || session.role === 'viewer') return null;
  const obstacle = !isNarrowed
    ? t('narrow')
    : (releasable ?? Infinity) > MAX_AT_ONCE
      ? t('tooMany', { max: MAX_AT_ONCE })
      : undefined;
  return (
    <>
      {releasable !== 0 && (
        <>
          {obstacle !== undefined && (
            <span id={why} className="text-xs text-ink-2">
              {obstacle}
            </span>
          )}
          <Button
            disabled={obstacle !== undefined}
            aria-describedby={obstacle === undefined ? undefined : why}
            onClick={() => setOpened(filter)}
          >
            {releasable === null ? t('openAny') : t('open', { count: releasable })}
          </Button>
        </>
      )}
      {/* Stays open when its own work has emptied the list. */}
      {opened && <BulkReleaseDialog filter={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
