'use client';

import { useTranslations } from 'use-intl';
import { KeyText } from '@/components/labels';
import { CopyButton } from '@/components/ui/copy-button';
import type { HeatRow } from '@/lib/protocol/measures';
import { rowText } from './heat-frame';
import type { LabelBlock, Subject } from './heat-tree';
import { subjectOf } from './heat-tree';

interface Props {
  row: HeatRow;
  kind: HeatRow['kind'];
  /** What the map is narrowed to. */
  shown: Subject;
  onSubject: (subject: Subject) => void;
}

/** The path of a row, one part a line: each can be copied, a namespace or class looked into. */
export function PinnedPath({ row, kind, shown, onSubject }: Props) {
  const t = useTranslations('heatmap');
  const ui = useTranslations('ui');
  const levels = ['namespace', 'class', row.kind === 'owner' ? 'owner' : 'lock'] as const;
  return (
    <dl className="grid min-w-0 flex-1 grid-cols-[auto_1fr] items-center gap-x-2">
      {row.path.map((part, level) => {
        const isOwn = level === row.path.length - 1;
        if (part === '' && !isOwn) return null;
        const block: LabelBlock = {
          level,
          path: row.path.slice(0, level + 1),
          from: 0,
          to: 1,
          row: isOwn ? row : null,
        };
        const subject = subjectOf(block, shown);
        const isRest = isOwn && row.kind === 'others';
        return (
          <div key={level} className="contents">
            <dt className="text-ink-3">{t(`levels.${levels[level] ?? 'lock'}`)}</dt>
            <dd className="flex min-w-0 items-center gap-1">
              {isRest ? (
                <i>{rowText(row, kind, t)}</i>
              ) : (
                <KeyText text={part} className="min-w-0" />
              )}
              {!isRest && (
                <CopyButton
                  text={part}
                  label={t('copyPart', { part: t(`levels.${levels[level] ?? 'lock'}`) })}
                  copiedLabel={ui('copied')}
                  failedLabel={ui('copyFailed')}
                />
              )}
              {subject && (
                <button
                  type="button"
                  aria-label={t('onlyPart', { part })}
                  onClick={() => onSubject(subject)}
                  className="rounded px-1 whitespace-nowrap text-accent-ink hover:underline"
                >
                  {t('only')}
                </button>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
