'use client';

import { Flag, X } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { localText, momentOf } from '@/components/charts/time-range';
import { useClockText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import type { Waits } from '@/lib/protocol/measures';

interface Props {
  data: Waits;
  marker: number | null;
  onMark: (at: number | null) => void;
}

interface BarProps extends Props {
  /** The comparison at the marker is there. */
  isCompared: boolean;
}

/** The marker by keyboard: sets, moves and removes it. */
export function MarkerBar({ data, marker, isCompared, onMark }: BarProps) {
  const t = useTranslations('waits.marker');
  const clock = useClockText();
  const isOutside = marker !== null && (marker <= data.from || marker >= data.to);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line pt-2.5 text-xs text-ink-2">
      <MarkerField key={marker ?? 'none'} data={data} marker={marker} onMark={onMark} />
      {marker !== null && (
        <Button look="ghost" icon={<X size={13} aria-hidden />} onClick={() => onMark(null)}>
          {t('remove')}
        </Button>
      )}
      {marker === null && <p>{t('hint')}</p>}
      {isOutside && <p role="status">{t('outside', { time: clock(marker, data.to) })}</p>}
      {marker !== null && !isOutside && !isCompared && <p role="status">{t('waiting')}</p>}
    </div>
  );
}

function MarkerField({ data, marker, onMark }: Props) {
  const t = useTranslations('waits.marker');
  const middle = Math.round((data.from + data.to) / 2 / data.stepMs) * data.stepMs;
  const [text, setText] = useState(() => localText(marker ?? middle));
  const at = momentOf(text);
  const isPossible = at !== null && at > data.from && at < data.to;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPossible) onMark(at);
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-1.5">
      <Flag size={13} aria-hidden className="text-accent-ink" />
      <Input
        type="datetime-local"
        step={1}
        aria-label={t('at')}
        aria-invalid={isPossible ? undefined : true}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-7! w-auto! text-xs!"
      />
      <Button
        type="submit"
        disabled={!isPossible || (marker !== null && text === localText(marker))}
      >
        {t('set')}
      </Button>
    </form>
  );
}
