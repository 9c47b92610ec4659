'use client';

import { useTranslations } from 'use-intl';
import { CopyButton } from '@/components/ui/copy-button';

interface Props {
  label: string;
  /** Name of the button. */
  copy: string;
  text: string;
}

/** Text to paste elsewhere. */
export function CopyableCode({ label, copy, text }: Props) {
  const ui = useTranslations('ui');
  return (
    <div className="mt-2 min-w-0">
      <p className="text-xs text-ink-3">{label}</p>
      <div className="mt-1 flex min-w-0 items-start gap-1 rounded-md border border-line bg-sunken p-2">
        <pre className="min-w-0 flex-1 font-mono text-xs break-words whitespace-pre-wrap text-ink">
          {text}
        </pre>
        <CopyButton
          text={text}
          label={copy}
          copiedLabel={ui('copied')}
          failedLabel={ui('copyFailed')}
        />
      </div>
    </div>
  );
}
