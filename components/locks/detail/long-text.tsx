'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { KeyText } from '@/components/labels';
import { CopyButton } from '@/components/ui/copy-button';

/** Above this many characters a text is folded until somebody asks for all of it. */
const LONG = 160;

/** A token or another text from Redis, of any length. */
export function LongText({ text }: { text: string }) {
  const t = useTranslations('lock');
  const ui = useTranslations('ui');
  const [isWhole, setIsWhole] = useState(false);
  if (text.length <= LONG) return <KeyText text={text} full />;
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <KeyText text={text} full={isWhole} />
      <span className="flex items-center gap-2 text-xs">
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="text-accent-ink hover:underline"
        >
          {isWhole ? ui('showLess') : ui('showAll')}
        </button>
        <span className="text-ink-3">{t('characters', { count: text.length })}</span>
        <CopyButton
          text={text}
          label={t('copyText')}
          copiedLabel={ui('copied')}
          failedLabel={ui('copyFailed')}
        />
      </span>
    </div>
  );
}
