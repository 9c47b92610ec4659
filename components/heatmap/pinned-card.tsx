'use client';

import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { isPlainKey } from '@/components/hooks/key-events';
import { LiveData } from '@/components/live/live-data';
import { Button, buttonClass } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { HeatRow } from '@/lib/protocol/measures';
import type { HeatCellParams } from '@/lib/protocol/queries';
import type { CellFacts } from './heat-cell';
import { CellValue, NowAndThen, WhyText } from './heat-figures';
import { spanLabels } from './heat-format';
import type { HeatColours } from './heat-palette';
import type { HeatPicture } from './heat-picture';
import { PinnedBlame, PinnedFigures } from './pinned-figures';
import { PinnedPath } from './pinned-path';
import type { Subject } from './heat-tree';

export const PIN_SIZE = { width: 336, height: 460 };

interface Props {
  facts: CellFacts;
  picture: HeatPicture;
  colours: HeatColours;
  /** Null where there is no room beside the cell, or it is out of sight: the card then stands below. */
  place: { left: number; top: number; width: number } | null;
  locksHref: string;
  waitsHref: string | null;
  shown: Subject;
  onSubject: (subject: Subject) => void;
  onZoom: () => void;
  onClose: () => void;
}

/** All that is known of one cell: it stays, and can be used. */
export function PinnedCard(props: Props) {
  const { facts, picture, colours, place } = props;
  const t = useTranslations('heatmap');
  const ui = useTranslations('ui');
  const { metric, columns } = picture.data;
  const [from, to] = spanLabels(facts, columns.at(-1) ?? facts.to);
  useEscape(props.onClose);
  return (
    <section
      aria-label={t('pinned')}
      className={clsx(
        'z-20 overflow-y-auto rounded-md border border-line-strong bg-raised text-xs shadow-pop',
        place
          ? 'absolute'
          : 'mt-2 max-sm:fixed max-sm:inset-x-2 max-sm:bottom-2 max-sm:max-h-[62dvh]',
      )}
      style={place ?? undefined}
    >
      <header className="flex items-start gap-2 border-b border-line px-3 py-2">
        <PinnedPath
          row={facts.row}
          kind={picture.rowKind}
          shown={props.shown}
          onSubject={props.onSubject}
        />
        <button
          type="button"
          onClick={props.onClose}
          aria-label={ui('close')}
          className="-m-1 inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <X size={13} aria-hidden />
        </button>
      </header>
      <div className="px-3 py-2">
        <p className="mb-1.5 text-ink-2">{t('span', { from, to })}</p>
        <p className="flex flex-wrap items-center gap-2">
          <CellValue metric={metric} facts={facts} scale={picture.scale} colours={colours} />
          <NowAndThen metric={metric} facts={facts} />
        </p>
        {facts.why && <WhyText why={facts.why} />}
      </div>
      <PinnedDetails facts={facts} metric={metric} />
      <footer className="flex flex-wrap gap-1.5 border-t border-line px-3 py-2">
        <PageLink href={props.locksHref} className={buttonClass()}>
          {t('openLocks')}
        </PageLink>
        {props.waitsHref && (
          <PageLink href={props.waitsHref} className={buttonClass()}>
            {t('openWaits')}
          </PageLink>
        )}
        <Button size="sm" onClick={props.onZoom}>
          {t('zoomHere')}
        </Button>
      </footer>
    </section>
  );
}

/** Wherever the focus is. Heard before the page hears it, which has uses of its own for this key. */
function useEscape(onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !isPlainKey(event)) return;
      event.preventDefault();
      escape();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

/** The row as the query names it; null for what is added up, which has no name. */
function cellQuery({ row, from, to }: CellFacts): HeatCellParams | null {
  if (row.kind === 'others') return null;
  const [namespace = '', name] = row.path;
  return { namespace, ...(name !== undefined && { class: name }), ...ownName(row), from, to };
}

function ownName(row: HeatRow): Pick<HeatCellParams, 'db' | 'keyB64' | 'owner'> {
  if (row.kind === 'owner') return { owner: row.label };
  return row.lock ? { db: row.lock.db, keyB64: row.lock.keyB64 } : {};
}

function PinnedDetails({
  facts,
  metric,
}: {
  facts: CellFacts;
  metric: HeatPicture['data']['metric'];
}) {
  const t = useTranslations('heatmap');
  const query = cellQuery(facts);
  if (!query) return <p className="px-3 pb-2 text-ink-3">{t('othersDetails')}</p>;
  return <AskedDetails query={query} metric={metric} />;
}

interface AskedProps {
  query: HeatCellParams;
  metric: HeatPicture['data']['metric'];
}

function AskedDetails({ query, metric }: AskedProps) {
  const t = useTranslations('heatmap');
  const answer = useLive('heat-cell', query);
  return (
    <div className="border-t border-line px-3 py-2">
      <LiveData snapshot={answer} loading={<SkeletonRows rows={5} label={t('cellLoading')} />}>
        {(cell) => (
          <>
            <PinnedFigures cell={cell} metric={metric} />
            <PinnedBlame cell={cell} />
          </>
        )}
      </LiveData>
    </div>
  );
}
