'use client';

import { useTranslations } from 'use-intl';
import { CopyButton } from '@/components/ui/copy-button';

/** Something exact enough to paste, with a button that copies it. */
export function PasteLine({ text, label }: { text: string; label: string }) {
  const ui = useTranslations('ui');
  return (
    <span className="mt-1 flex max-w-full min-w-0 items-start gap-1">
      <code className="min-w-0 rounded border border-line bg-surface px-1.5 py-0.5 font-mono text-xs break-words text-ink">
        {text}
      </code>
      <CopyButton
        text={text}
        label={label}
        copiedLabel={ui('copied')}
        failedLabel={ui('copyFailed')}
      />
    </span>
  );
}
