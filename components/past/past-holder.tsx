'use client';

import { useTranslations } from 'use-intl';
import { DurationText, EndReasonLabel, EvidenceMark, Figure, KeyText } from '@/components/labels';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import type { PastHold } from '@/lib/protocol/lock';
import type { PastLockMoment } from '@/lib/protocol/past';
import { EndedLater, HolderOf } from './hold-cells';
import { ExactClock } from './moment-text';
import { isWholeKnown } from './past-notices';

/** Who held the lock at the moment, and what came of the hold. */
export function PastHolderPanel({ data }: { data: PastLockMoment }) {
  const t = useTranslations('past.holder');
  const hold = data.lock?.hold ?? null;
  const facts = useFacts(hold, data.at);
  return (
    <Panel title={t('title')} actions={hold && <EvidenceMark evidence={hold.evidence} named />}>
      {hold ? <KeyValue items={facts} /> : <Nobody data={data} />}
    </Panel>
  );
}

function useFacts(hold: PastHold | null, at: number): KeyValueItem[] {
  const t = useTranslations('past.holder');
  const notes = useTranslations('labels.notes');
  if (!hold) return [];
  const facts: (KeyValueItem | false)[] = [
    { label: t('holder'), value: <HolderOf hold={hold} /> },
    { label: t('since'), value: <ExactClock at={hold.start} beside={at} /> },
    {
      label: t('heldFor'),
      value: (
        <Figure evidence={hold.evidence}>
          <DurationText ms={at - hold.start} />
        </Figure>
      ),
    },
    { label: t('ended'), value: <EndedLater hold={hold} at={at} /> },
    hold.endedBy !== null && { label: t('endedBy'), value: <KeyText text={hold.endedBy} full /> },
    { label: t('renewals'), value: hold.renewals },
    hold.maxDepth > 1 && { label: t('depth'), value: hold.maxDepth },
    hold.businessId !== null &&
      hold.businessId !== undefined && {
        label: t('businessId'),
        value: <KeyText text={hold.businessId} full />,
      },
    hold.notes.length > 0 && {
      label: t('notes'),
      value: hold.notes.map((note) => notes(note)).join(' '),
    },
  ];
  return facts.filter((fact) => fact !== false);
}

/** What is known where nobody held it: the hold before and the one after. */
function Nobody({ data }: { data: PastLockMoment }) {
  const t = useTranslations('past.holder');
  const { at, before, after } = data;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="font-medium">{t(isWholeKnown(data) ? 'nobody' : 'notKnown')}</p>
      {before && before.end !== null && (
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2">
          {t.rich('before', {
            holder: () => <HolderOf hold={before} />,
            reason: () => <EndReasonLabel reason={before.endReason ?? 'unknown'} />,
            ago: () => <DurationText ms={at - (before.end ?? at)} />,
          })}
        </p>
      )}
      {after && (
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2">
          {t.rich('after', {
            holder: () => <HolderOf hold={after} />,
            later: () => <DurationText ms={after.start - at} />,
          })}
        </p>
      )}
    </div>
  );
}
