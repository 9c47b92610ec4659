'use client';

import { useTranslations } from 'use-intl';
import { usePlaceText } from '@/components/labels';
import type { BlameLeaf } from '@/lib/protocol/measures';
import type { BlameNode } from './blame-tree';
import type { IcicleBox } from './icicle-layout';

interface BlameWords {
  /** Who or what a leaf puts the waiting down to: a process by its name and place where they are known. */
  cause: (leaf: Pick<BlameLeaf, 'cause' | 'owner' | 'place'>) => string;
  node: (node: BlameNode) => string;
  box: (box: IcicleBox) => string;
}

/** Names of what is drawn and listed. */
export function useBlameWords(): BlameWords {
  const t = useTranslations('blame');
  const placeText = usePlaceText();
  const cause: BlameWords['cause'] = ({ cause: kind, owner, place }) => {
    if (kind !== 'holder') return t(`causes.${kind}`);
    return placeText(place) ?? owner ?? t('causes.unnamed');
  };
  const node: BlameWords['node'] = ({ level, leaf, leftOut }) => {
    if (leftOut > 0) return t('leftOut', { count: leftOut });
    if (level === 'all' || leaf === null) return t('levels.all');
    if (level === 'namespace') return leaf.namespace === '' ? t('noNamespace') : leaf.namespace;
    if (level === 'class') return leaf.class;
    return level === 'lock' ? (leaf.lock?.key ?? t('smallLocks')) : cause(leaf);
  };
  return {
    cause,
    node,
    box: (box) => (box.node ? node(box.node) : t('merged', { count: box.merged })),
  };
}
