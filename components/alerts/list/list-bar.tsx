'use client';

import { BellOff, UserCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { VIEWER_NOTE } from './alert-row';
import type { AlertList } from './use-alert-list';

interface Props {
  list: AlertList;
  /** Alerts that fit, listed or not. */
  total: number;
  /** Null while it is not known. */
  mayAct: boolean | null;
  onAcknowledge: () => void;
  onSilence: () => void;
}

/**
 * How many are listed and chosen, and what can be done with those. Always as high, so that choosing moves no row;
 * it stays in sight while the list scrolls.
 */
export function ListBar({ list, total, mayAct, onAcknowledge, onSilence }: Props) {
  const t = useTranslations('alerts');
  const chosen = list.selection.chosen.size;
  const isAll = list.ids.length > 0 && list.ids.every((id) => list.selection.chosen.has(id));
  return (
    <div className="sticky top-0 z-10 -my-1 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 bg-bg py-1 text-xs text-ink-2">
      {mayAct !== false && (
        <label className="flex items-center gap-2 pl-[calc(0.75rem+3px)]">
          <input
            type="checkbox"
            className="size-3.5 accent-accent"
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = chosen > 0 && !isAll;
            }}
            onChange={list.toggleAll}
          />
          {t('chooseAll')}
        </label>
      )}
      <output>{chosen > 0 ? t('chosen', { count: chosen }) : t('listed', { count: total })}</output>
      {chosen > 0 && (
        <>
          <Button look="primary" icon={<UserCheck size={13} aria-hidden />} onClick={onAcknowledge}>
            {t('acknowledge')}
          </Button>
          <Button icon={<BellOff size={13} aria-hidden />} onClick={onSilence}>
            {t('silence')}
          </Button>
          <Button look="ghost" onClick={list.clear}>
            {t('chooseNone')}
          </Button>
        </>
      )}
      {list.arrived > 0 && (
        <Button onClick={list.takeOver}>{t('arrived', { count: list.arrived })}</Button>
      )}
      {mayAct === false && <span id={VIEWER_NOTE}>{t('viewerCannot')}</span>}
      <span className="ml-auto flex items-center gap-1 text-ink-3 max-lg:hidden">
        <span className="mr-0.5">{t('keysHint')}</span>
        <Kbd>j</Kbd>
        <Kbd>k</Kbd>
        <Kbd>x</Kbd>
        <Kbd>a</Kbd>
        <Kbd>s</Kbd>
        <Kbd>?</Kbd>
      </span>
    </div>
  );
}
