'use client';

import { useTranslations } from 'use-intl';
import { useDurationText } from '@/components/labels';
import type { IcicleBox } from './icicle-layout';
import { useBlameWords } from './use-blame-words';

interface Props {
  box: IcicleBox;
  above: IcicleBox | null;
  totalMs: number;
  frameWidth: number;
  top: number;
}

const WIDTH_PX = 280;

/** What a box says, beneath it. Screen readers read the same from the box. */
export function IcicleTooltip({ box, above, totalMs, frameWidth, top }: Props) {
  const t = useTranslations('blame');
  const words = useBlameWords();
  const duration = useDurationText();
  const width = Math.min(WIDTH_PX, frameWidth);
  const left = Math.max(0, Math.min(box.left * frameWidth, frameWidth - width));
  const { node } = box;
  const cause = node?.level === 'holder' ? node.leaf?.cause : undefined;
  const shareOf = (whole: number): number => (whole === 0 ? 0 : box.waitMs / whole);
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-20 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs text-ink shadow-pop"
      style={{ left, top, width }}
    >
      <p className="text-ink-3">
        {node === null || node.leftOut > 0 ? null : t(`levels.${node.level}`)}
      </p>
      <p className="line-clamp-4 font-medium break-all">{words.box(box).slice(0, 300)}</p>
      <p className="mt-1 text-base font-semibold">{duration(box.waitMs)}</p>
      <p className="text-ink-2">{t('ofAll', { share: shareOf(totalMs) })}</p>
      {above && above.depth > 0 && (
        <p className="text-ink-2">{t('ofParent', { share: shareOf(above.waitMs) })}</p>
      )}
      {node === null && <p className="mt-1 text-ink-3">{t('mergedText')}</p>}
      {cause !== undefined && cause !== 'holder' && (
        <p className="mt-1 text-ink-3">{t(`causeMeanings.${cause}`)}</p>
      )}
    </div>
  );
}
