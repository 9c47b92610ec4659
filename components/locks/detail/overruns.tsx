'use client';

import { useTranslations } from 'use-intl';
import { EvidenceMark, TimeAgo } from '@/components/labels';
import type { LockDetail, Overrun } from '@/lib/protocol/lock';

/** How often leases of this lock ended while it was held, and how often that befell who hold or held it. */
export function Overruns({ lock: { overruns } }: { lock: LockDetail }) {
  const t = useTranslations('lock.overruns');
  if (!overruns) return null;
  const { lock, holders } = overruns;
  return (
    <section aria-label={t('title')} className="flex flex-col gap-1 px-3 py-2 text-sm">
      {lock && (
        <Line overrun={lock}>
          {t.rich('ofLock', { count: lock.count, since: () => <TimeAgo at={lock.since} /> })}
        </Line>
      )}
      {holders.map(({ kind, name, ...overrun }) => (
        <Line key={`${kind}:${name}`} overrun={overrun}>
          {t.rich('ofHolder', {
            kind,
            count: overrun.count,
            name: () => <bdi className="font-mono break-all">{name}</bdi>,
            since: () => <TimeAgo at={overrun.since} />,
          })}
        </Line>
      ))}
    </section>
  );
}

/** A sum with how well it is known: an end without its event is a conclusion, and so is a late release. */
function Line({ overrun, children }: { overrun: Overrun; children: React.ReactNode }) {
  const t = useTranslations('lock.overruns');
  const { inferred, lateReleases } = overrun;
  const details = [
    ...(inferred > 0 ? [t('inferred', { count: inferred })] : []),
    ...(lateReleases > 0 ? [t('lateReleases', { count: lateReleases })] : []),
  ];
  return (
    <p className="flex gap-2">
      <EvidenceMark evidence={inferred > 0 ? 'inferred' : 'observed'} className="h-5 shrink-0" />
      <span className="min-w-0">
        {children}
        {details.length > 0 && <span className="text-xs text-ink-2"> {details.join(' ')}</span>}
      </span>
    </p>
  );
}
