'use client';

import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { localTextMs } from './scrub-window';

interface Props {
  /** What stands there at first, epoch ms. */
  at: number;
  onMoment: (at: number) => void;
}

/** A day and time to the millisecond; use it anew, by its key, for another moment. */
export function ExactTime({ at, onMoment }: Props) {
  const t = useTranslations('past');
  const [first] = useState(() => localTextMs(at));
  const [text, setText] = useState(first);
  const typed = text === '' ? Number.NaN : new Date(text).getTime();
  const isMoment = Number.isFinite(typed) && typed >= 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isMoment) onMoment(typed);
  };
  return (
    <form
      onSubmit={submit}
      className="flex items-center gap-1.5 max-sm:order-first max-sm:basis-full"
    >
      <Input
        type="datetime-local"
        step={0.001}
        aria-label={t('exactTime')}
        aria-invalid={isMoment ? undefined : true}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-7! w-auto! px-1.5! text-xs!"
      />
      <Button type="submit" disabled={!isMoment || text === first}>
        {t('go')}
      </Button>
    </form>
  );
}
