'use client';

import { CalendarClock, Play } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { SegmentedControl } from '@/components/ui/segmented-control';
import {
  localText,
  momentOf,
  rangeNames,
  type RangeChoice,
  type Span,
  type TimeRange,
} from './time-range';

interface Props {
  range: TimeRange;
  choice: RangeChoice;
  /** What is shown now: where exact times start from. */
  shown: Span | null;
  onChange: (changes: Record<string, string | number | null>) => void;
}

/** A span up to now, or exact times. Chosen spans stand in the address, so that Back undoes them. */
export function RangePicker({ range, choice, shown, onChange }: Props) {
  const t = useTranslations('charts.range');
  const [opened, setOpened] = useState(false);
  const { fixed } = range;
  const names = rangeNames(range, choice);
  const isExact = opened || fixed !== null;
  const follow = (): void => {
    setOpened(false);
    onChange({ from: null, to: null });
  };
  return (
    <>
      <SegmentedControl
        label={t('label')}
        value={fixed ? null : range.name}
        options={names.map((value) => ({ value, label: t(`names.${value}`) }))}
        onChange={(name) => {
          setOpened(false);
          onChange({ range: name === choice.usual ? null : name, from: null, to: null });
        }}
      />
      {isExact ? (
        <ExactTimes
          key={fixed ? `${fixed.from}-${fixed.to}` : 'new'}
          start={fixed ?? shown}
          isApplied={fixed !== null}
          onApply={({ from, to }) => onChange({ from, to })}
        />
      ) : (
        <Button
          look="ghost"
          icon={<CalendarClock size={13} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {t('exact')}
        </Button>
      )}
      {isExact && (
        <Button icon={<Play size={12} aria-hidden />} onClick={follow}>
          {t('follow')}
        </Button>
      )}
    </>
  );
}

interface ExactProps {
  start: Span | null;
  /** `start` is what the page shows already. */
  isApplied: boolean;
  onApply: (span: Span) => void;
}

function ExactTimes({ start, isApplied, onApply }: ExactProps) {
  const t = useTranslations('charts.range');
  const [from, setFrom] = useState(start ? localText(start.from) : '');
  const [to, setTo] = useState(start ? localText(start.to) : '');
  const first = momentOf(from);
  const last = momentOf(to);
  const span = first !== null && last !== null && last > first ? { from: first, to: last } : null;
  const isSame =
    isApplied && start !== null && from === localText(start.from) && to === localText(start.to);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (span) onApply(span);
  };
  const field = (label: string, value: string, set: (text: string) => void) => (
    <Input
      type="datetime-local"
      step={1}
      aria-label={label}
      aria-invalid={span === null ? true : undefined}
      value={value}
      onChange={(event) => set(event.target.value)}
      className="h-7! w-auto! text-xs!"
    />
  );
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
      {field(t('from'), from, setFrom)}
      <span aria-hidden>–</span>
      {field(t('to'), to, setTo)}
      <Button type="submit" disabled={span === null || isSame}>
        {t('apply')}
      </Button>
    </form>
  );
}
