'use client';

import { clsx } from 'clsx';
import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import { lockHref } from './lock-href';
import { SHORT_TAIL, truncateMiddle } from './truncate';

interface Props {
  /** Printable form. */
  text: string;
  /** Given, the text is a link to the lock's page. */
  lock?: { target: string; db: number; keyB64: string };
  /** Shows everything, broken over lines. */
  full?: boolean;
  /** Beside a name that matters more: gives way to it down to a few characters of its end. */
  aside?: boolean;
  className?: string;
}

const TITLE_MAX = 600;
/** The end and the ellipsis before it stay; all above that goes before the neighbour loses anything. */
const ASIDE = 'min-w-[7ch] shrink-[999]';

/**
 * A key, owner or value as Redis has it: monospaced, isolated from the direction of the text around it,
 * its middle cut where room is short so that start and end stay readable.
 */
export function KeyText({ text, lock, full = false, aside = false, className }: Props) {
  const t = useTranslations('labels');
  const body =
    text === '' ? (
      <i>{t('keyEmpty')}</i>
    ) : full ? (
      text
    ) : (
      <Truncated text={text} tailLength={aside ? SHORT_TAIL : undefined} />
    );
  const classes = clsx(
    'font-mono text-[0.95em]',
    full ? 'break-all' : 'flex overflow-hidden',
    !full && (aside ? ASIDE : 'min-w-0'),
    className,
  );
  const title = full ? undefined : text.slice(0, TITLE_MAX);
  if (!lock) {
    return (
      <bdi dir="ltr" title={title} className={classes}>
        {body}
      </bdi>
    );
  }
  return (
    <bdi dir="ltr" className={clsx('min-w-0', !full && 'flex')}>
      <PageLink
        href={lockHref(lock)}
        prefetch={false}
        title={title}
        className={clsx(classes, 'text-ink hover:text-accent-ink hover:underline')}
      >
        {body}
      </PageLink>
    </bdi>
  );
}

function Truncated({ text, tailLength }: { text: string; tailLength: number | undefined }) {
  const { head, tail } = truncateMiddle(text, tailLength);
  return (
    <>
      <span className="truncate whitespace-pre">{head}</span>
      {tail && <span className="shrink-0 whitespace-pre">{tail}</span>}
    </>
  );
}
