'use client';

import { clsx } from 'clsx';
import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import { lockHref } from './lock-href';
import { truncateMiddle } from './truncate';

interface Props {
  /** Printable form. */
  text: string;
  /** Given, the text is a link to the lock's page. */
  lock?: { target: string; db: number; keyB64: string };
  /** The link leads to the lock as it was at this moment, epoch ms. */
  at?: number;
  /** Shows everything, broken over lines. */
  full?: boolean;
  className?: string;
}

const TITLE_MAX = 600;

/**
 * A key, owner or value as Redis has it: monospaced, isolated from the direction of the text around it,
 * its middle cut where room is short so that start and end stay readable.
 */
export function KeyText({ text, lock, at, full = false, className }: Props) {
  const t = useTranslations('labels');
  const body = text === '' ? <i>{t('keyEmpty')}</i> : full ? text : <Truncated text={text} />;
  const classes = clsx(
    'font-mono text-[0.95em]',
    full ? 'break-all' : 'flex min-w-0 overflow-hidden',
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
        href={lockHref(lock, at)}
        prefetch={false}
        title={title}
        className={clsx(classes, 'text-ink hover:text-accent-ink hover:underline')}
      >
        {body}
      </PageLink>
    </bdi>
  );
}

function Truncated({ text }: { text: string }) {
  const { head, tail } = truncateMiddle(text);
  return (
    <>
      <span className="truncate whitespace-pre">{head}</span>
      {tail && <span className="shrink-0 whitespace-pre">{tail}</span>}
    </>
  );
}
