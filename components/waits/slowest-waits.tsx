'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useTargetId } from '@/components/hooks';
import { usePlaceText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import type { Waits } from '@/lib/protocol/measures';
import { SlowWait } from './slow-wait';

const FEW = 8;

/** The longest waits, the longest first. */
export function SlowestWaits({ slowest: waits, places = [] }: Pick<Waits, 'slowest' | 'places'>) {
  const t = useTranslations('waits');
  const target = useTargetId();
  const placeText = usePlaceText();
  const nameOf = (owner: string): string =>
    placeText(places.find((place) => place.owner === owner)) ?? owner;
  const [showsAll, setShowsAll] = useState(false);
  if (waits.length === 0) return <p className="p-3 text-sm text-ink-2">{t('noSlowest')}</p>;
  const shown = showsAll ? waits : waits.slice(0, FEW);
  return (
    <>
      <ol className="divide-y divide-line">
        {shown.map((wait) => (
          <li key={`${wait.db}:${wait.keyB64}:${wait.start}:${wait.owner ?? ''}`}>
            <SlowWait wait={wait} target={target} nameOf={nameOf} />
          </li>
        ))}
      </ol>
      {waits.length > FEW && (
        <div className="border-t border-line px-3 py-2">
          <Button look="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('slow.fewer') : t('slow.more', { count: waits.length })}
          </Button>
        </div>
      )}
    </>
  );
}
