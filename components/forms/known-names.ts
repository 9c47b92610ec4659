'use client';

import { useMemo } from 'react';
import { useLive } from '@/components/hooks';
import { useOpenAlerts } from '@/components/hooks/use-open-alerts';

type NameKind = 'class' | 'namespace' | 'owner';
type KnownNames = Record<NameKind, readonly string[]>;

/** What classes, namespaces and owners are called now: of locks that were held lately and of open alerts. */
export function useKnownNames(): KnownNames {
  const { groups } = useOpenAlerts();
  const items = useLive('classes', {}).data?.items;
  return useMemo(() => {
    const ofAlerts = (kind: NameKind) => (groups?.[kind] ?? []).map(({ name }) => name);
    const all = (kind: NameKind, others: readonly string[] = []): string[] =>
      [...new Set([...ofAlerts(kind), ...others])].flatMap((name) => name || []);
    return {
      class: all(
        'class',
        items?.map((each) => each.class),
      ),
      namespace: all(
        'namespace',
        items?.map(({ namespace }) => namespace),
      ),
      owner: all('owner'),
    };
  }, [groups, items]);
}
