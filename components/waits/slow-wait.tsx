'use client';

import { useTranslations } from 'use-intl';
import {
  ClockTime,
  DurationText,
  EvidenceMark,
  Figure,
  KeyText,
  lockHref,
  OwnerName,
  useDurationText,
  useExactTimeText,
} from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { PageLink } from '@/components/ui/page-link';
import type { PastWait } from '@/lib/protocol/measures';
import { waitHolders, type HeldPart, type HolderShare } from './wait-holders';

interface Props {
  wait: PastWait;
  /** Without it nothing can be linked to. */
  target: string | null;
  /** What an owner is called. */
  nameOf: (owner: string) => string;
}

const FEW_HOLDERS = 3;

/** One wait: who waited for which lock, how long, how it ended, and who held the lock meanwhile. */
export function SlowWait({ wait, target, nameOf }: Props) {
  const t = useTranslations('waits.slow');
  const lengthMs = wait.end - wait.start;
  const { parts, holders, freeMs } = waitHolders(wait);
  return (
    <article className="grid gap-x-3 gap-y-1 px-3 py-2.5 text-sm sm:grid-cols-[5.5rem_minmax(0,1fr)]">
      <p className="text-base font-semibold sm:text-right">
        <Figure evidence={wait.evidence}>
          <DurationText ms={lengthMs} />
        </Figure>
      </p>
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 gap-y-0.5">
          <WaiterText owner={wait.owner} nameOf={nameOf} />
          <span className="shrink-0 text-ink-3">{t('waitedFor')}</span>
          <LockMoment wait={wait} target={target} />
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
          <Badge tone={wait.outcome === 'granted' ? 'ok' : 'warning'}>
            {t(`outcomes.${wait.outcome}`)}
          </Badge>
          <span className="whitespace-nowrap">
            <ClockTime at={wait.start} /> – <ClockTime at={wait.end} />
          </span>
          <EvidenceMark evidence={wait.evidence} named />
          {wait.evidence === 'unknown' && <span>{t('lengthUnknown')}</span>}
        </p>
        <HoldStrip parts={parts} />
        <Holders
          wait={wait}
          target={target}
          nameOf={nameOf}
          holders={holders}
          freeMs={freeMs}
          lengthMs={lengthMs}
        />
      </div>
    </article>
  );
}

function WaiterText({ owner, nameOf }: { owner: string | null; nameOf: Props['nameOf'] }) {
  const t = useTranslations('waits.slow');
  return owner === null ? (
    <span className="text-ink-3">{t('ownerUnknown')}</span>
  ) : (
    <OwnerName owner={owner} name={nameOf(owner)} className="font-medium" />
  );
}

/** The lock, and the way to what it was like when the wait began. */
function LockMoment({ wait, target }: { wait: PastWait; target: string | null }) {
  const t = useTranslations('waits.slow');
  const exact = useExactTimeText();
  if (target === null) return <KeyText text={wait.key} className="max-w-full" />;
  return (
    <PageLink
      href={lockHref({ target, db: wait.db, keyB64: wait.keyB64 }, wait.start)}
      prefetch={false}
      title={t('atThatTime', { time: exact(wait.start) })}
      className="flex max-w-full min-w-0 text-accent-ink hover:underline"
    >
      <KeyText text={wait.key} />
    </PageLink>
  );
}

const COLOURS = ['bg-chart-3', 'bg-chart-2', 'bg-chart-4', 'bg-chart-5'];

/** The wait as a line of time, with the holds within it; the words below say the same. */
function HoldStrip({ parts }: { parts: readonly HeldPart[] }) {
  const owners = [...new Set(parts.map(({ owner }) => owner))];
  return (
    <div
      aria-hidden
      className="relative mt-1.5 h-2 overflow-hidden rounded-sm border border-line-strong bg-sunken"
    >
      {parts.map((part) => (
        <span
          key={`${part.left}:${part.owner ?? ''}`}
          className={`absolute inset-y-0 min-w-px border-r border-surface ${
            part.owner === null
              ? 'hatched'
              : (COLOURS[owners.indexOf(part.owner) % COLOURS.length] ?? '')
          }`}
          style={{ left: `${part.left * 100}%`, width: `${part.width * 100}%` }}
        />
      ))}
    </div>
  );
}

interface HoldersProps {
  wait: PastWait;
  target: string | null;
  nameOf: Props['nameOf'];
  holders: readonly HolderShare[];
  freeMs: number | null;
  lengthMs: number;
}

function Holders({ wait, target, nameOf, holders, freeMs, lengthMs }: HoldersProps) {
  const t = useTranslations('waits.slow');
  const duration = useDurationText();
  const further = Math.max(0, holders.length - FEW_HOLDERS);
  const isFree = freeMs !== null && freeMs > 0 && freeMs / Math.max(1, lengthMs) >= 0.005;
  const say = (ms: number) =>
    t('of', { duration: duration(ms), share: Math.min(1, ms / Math.max(1, lengthMs)) });
  return (
    <div className="mt-1 flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 text-xs text-ink-2">
      <span className="text-ink-3">{t('heldBy')}</span>
      {holders.slice(0, FEW_HOLDERS).map((holder) => (
        <span key={holder.owner ?? ''} className="flex max-w-full min-w-0 items-baseline gap-1">
          <HolderLink wait={wait} target={target} nameOf={nameOf} holder={holder} />
          <span className="shrink-0 text-ink-3">{say(holder.heldMs)}</span>
        </span>
      ))}
      {further > 0 && <span className="text-ink-3">{t('moreHolders', { count: further })}</span>}
      {isFree && (
        <span>
          {t('nobody')} <span className="text-ink-3">{say(freeMs)}</span>
        </span>
      )}
      {wait.heldByMore > 0 && <span>{t('moreHolds', { count: wait.heldByMore })}</span>}
    </div>
  );
}

function HolderLink({
  wait,
  target,
  nameOf,
  holder,
}: Pick<HoldersProps, 'wait' | 'target' | 'nameOf'> & { holder: HolderShare }) {
  const t = useTranslations('waits.slow');
  const exact = useExactTimeText();
  const name =
    holder.owner === null ? (
      <>{t('holderUnknown')}</>
    ) : (
      <OwnerName owner={holder.owner} name={nameOf(holder.owner)} />
    );
  if (target === null) return name;
  return (
    <PageLink
      href={lockHref({ target, db: wait.db, keyB64: wait.keyB64 }, holder.at)}
      prefetch={false}
      title={t('atThatTime', { time: exact(holder.at) })}
      className="flex min-w-0 hover:text-accent-ink hover:underline"
    >
      {name}
    </PageLink>
  );
}
