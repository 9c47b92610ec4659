'use client';

import { useTranslations } from 'use-intl';
import type { Waits } from '@/lib/protocol/measures';
import { TraceOffer } from '@/components/charts/trace-offer';
import { Figure, KeyText, useFormatName } from '@/components/labels';

type Unseen = Waits['notObservable'][number];

const UNKNOWN: readonly Unseen['reason'][] = ['polls', 'counted-only'];

/** The classes whose waits nobody can know, and why: named, so that they are not read as calm. */
export function NotObservable({ classes }: { classes: readonly Unseen[] }) {
  const t = useTranslations('waits');
  const isSeen = !classes.some(({ reason }) => UNKNOWN.includes(reason));
  return (
    // What scrolls must be reachable by keyboard. A group and no landmark: the panel around it is one.
    <div
      role="group"
      aria-label={t('notObservable')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative flex max-h-80 flex-col gap-4 overflow-y-auto text-sm"
    >
      {isSeen && <p className="text-ink-2">{t('allObservable')}</p>}
      {UNKNOWN.map((reason) => (
        <ClassesOf key={reason} reason={reason} classes={classes} />
      ))}
      <ClassesOf reason="never-waits" classes={classes} />
    </div>
  );
}

function ClassesOf({ reason, classes }: { reason: Unseen['reason']; classes: readonly Unseen[] }) {
  const t = useTranslations('waits');
  const nameOf = useFormatName();
  const shown = classes.filter((each) => each.reason === reason);
  if (shown.length === 0) return null;
  return (
    <div>
      <p className="text-ink-2">{t(`notObservableWhy.${reason}`)}</p>
      {reason === 'polls' && <TraceOffer className="text-ink-2" />}
      <ul className="mt-2 flex flex-col gap-1.5">
        {shown.map((each) => (
          <li key={each.class} className="flex min-w-0 items-baseline gap-2">
            {reason !== 'never-waits' && <Figure evidence="unknown">{null}</Figure>}
            <KeyText text={each.class} />
            <span className="ml-auto shrink-0 text-xs text-ink-3">
              {each.formats.map(nameOf).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
