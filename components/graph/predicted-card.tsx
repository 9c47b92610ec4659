'use client';

import { clsx } from 'clsx';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ClockTime, EvidenceMark, KeyText, lockHref, TimeAgo } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { PageLink } from '@/components/ui/page-link';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { OwnerWords } from './owner-words';

type Example = NonNullable<Deadlock['examples']>[number];

interface Props {
  deadlock: Deadlock;
  marked?: boolean;
  /** What an operator may do about it. */
  actions?: ReactNode;
}

/** Orders that contradict each other: no deadlock yet, with one time each that the locks were taken so. */
export function PredictedCard({ deadlock, marked = false, actions }: Props) {
  const t = useTranslations('deadlocks');
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (marked) card.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
  const classes = deadlock.classes ?? [];
  const { intended } = deadlock;
  return (
    <section
      ref={card}
      aria-label={t('predictedLabel', { classes: classes.join(', ').slice(0, 400) })}
      className={clsx(
        'min-w-0 rounded-lg border bg-surface',
        marked ? 'border-accent-ink' : 'border-line',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-3 py-2">
        <Badge tone={intended ? 'neutral' : 'warning'}>
          {t(intended ? 'intended' : 'states.predicted')}
        </Badge>
        <h2 className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-sm font-semibold">
          {[...classes, ...classes.slice(0, 1)].map((name, index) => (
            // A class may stand in a chain twice.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index} className="flex min-w-0 items-baseline gap-x-1.5">
              {index > 0 && <span className="text-ink-3">{t('arrow')}</span>}
              <KeyText text={name} className="max-w-full" />
            </span>
          ))}
        </h2>
        <EvidenceMark evidence={deadlock.evidence} named />
        <span className="ml-auto flex items-center gap-2 text-xs text-ink-3">
          <span>
            {t('firstSeen')} <TimeAgo at={deadlock.since} />
          </span>
          {actions}
        </span>
      </header>
      <ol className="grid min-w-0 gap-px bg-line md:grid-cols-2">
        {(deadlock.examples ?? []).map((example) => (
          <li
            key={`${example.first.keyB64} ${example.second.keyB64} ${example.at}`}
            className="min-w-0 bg-surface px-3 py-2 text-sm md:odd:last:col-span-2"
          >
            <ExampleWords example={example} target={deadlock.target} />
          </li>
        ))}
      </ol>
      <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
        {intended
          ? t('intendedBy', { actor: intended.actor, reason: intended.reason })
          : t('predictedText')}
        {intended && (
          <>
            {' '}
            <TimeAgo at={intended.at} />
          </>
        )}
      </p>
    </section>
  );
}

function ExampleWords({ example, target }: { example: Example; target: string }) {
  const t = useTranslations('deadlocks');
  const { first, second, owner, ownerApp, at } = example;
  return (
    <>
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
        <OwnerWords id={owner} app={ownerApp} isWaiter />
        <span className="text-ink-3">{t('held')}</span>
        <ThenLink {...{ lock: first, target, at }} />
        <span className="text-ink-3">{t('whenItAskedFor')}</span>
        <ThenLink {...{ lock: second, target, at }} />
      </p>
      <p className="mt-0.5 text-xs text-ink-3">
        <ClockTime at={at} />
      </p>
    </>
  );
}

function ThenLink({ lock, target, at }: { lock: Example['first']; target: string; at: number }) {
  return (
    <PageLink
      href={lockHref({ target, ...lock }, at)}
      className="inline-flex max-w-full min-w-0 underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      <KeyText text={lock.key} />
    </PageLink>
  );
}
