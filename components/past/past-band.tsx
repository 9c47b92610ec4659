'use client';

import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { useExactTimeText } from '@/components/labels';
import { CopyButton } from '@/components/ui/copy-button';
import { useAgeText, useMomentText } from './moment-text';

interface Props {
  at: number;
  onPresent: () => void;
}

/** Says without mistake that the page below is not the present. */
export function PastBand({ at, onPresent }: Props) {
  const t = useTranslations('past');
  const now = useNow(10_000);
  const moment = useMomentText();
  const age = useAgeText();
  const exact = useExactTimeText();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 bg-past px-3 py-1.5 text-on-past md:px-4">
      <p className="flex min-w-0 items-center gap-2 text-sm">
        <History size={15} aria-hidden className="shrink-0" />
        <span>
          {t.rich('asItWas', {
            moment: () => (
              <time title={exact(at)} className="font-semibold whitespace-nowrap">
                {moment(at, now || at)}
              </time>
            ),
          })}
          <span className="whitespace-nowrap opacity-90">{` · ${age(at)}`}</span>
        </span>
      </p>
      <div className="ml-auto flex items-center gap-1.5">
        <CopyLink />
        <BandButton onClick={onPresent}>
          {t('toNow')}
          <kbd className="rounded border border-current px-1 font-mono text-2xs max-sm:hidden">
            {t('escape')}
          </kbd>
        </BandButton>
      </div>
    </div>
  );
}

function BandButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex h-7 items-center gap-2 rounded-md bg-on-past px-2.5 text-xs font-medium whitespace-nowrap text-past hover:opacity-90 focus-visible:outline-on-past"
    >
      {children}
    </button>
  );
}

function CopyLink() {
  const t = useTranslations('past');
  const ui = useTranslations('ui');
  // The whole state is in the address; it is only read when somebody presses the button.
  const href = typeof window === 'undefined' ? '' : window.location.href;
  return (
    <CopyButton
      text={href}
      label={t('copyLink')}
      copiedLabel={ui('copied')}
      failedLabel={ui('copyFailed')}
      className="text-on-past! hover:bg-transparent! hover:opacity-80 focus-visible:outline-on-past"
    />
  );
}
