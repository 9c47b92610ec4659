'use client';

import { useTranslations } from 'use-intl';
import type { OwnerPlace } from '@/lib/protocol/measures';

/** Says where an owner runs: "order-7 on 10.1.2.3". Null where nothing of it is known. */
export function usePlaceText(): (place: OwnerPlace | undefined) => string | null {
  const t = useTranslations('labels');
  return (place) => {
    const name = place?.app ?? place?.host ?? null;
    const where = place?.ip ?? (place?.app ? place.host : null);
    if (name === null) return where;
    return where === null ? name : t('placeOn', { name, place: where });
  };
}
