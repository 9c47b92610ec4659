'use client';

import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { ClockTime, EvidenceMark } from '@/components/labels';
import { PageLink } from '@/components/ui/page-link';
import type { LockDetail } from '@/lib/protocol/lock';

/** What a trace saw of attempts that leave no event; where nothing else tells, the way to one. */
export function SampledAttempts({ lock: { sampled, waiting } }: { lock: LockDetail }) {
  const t = useTranslations('lock.waiters');
  const session = useSession();
  const link = (
    <PageLink href="/traces" className="text-accent-ink underline underline-offset-2">
      {t(sampled ? 'toTraces' : 'trace')}
    </PageLink>
  );
  if (!sampled) {
    const isWorthIt = waiting.count === null && session?.role === 'admin';
    return (
      isWorthIt && (
        <p className="text-xs text-ink-2">{t.rich('traceOffer', { link: () => link })}</p>
      )
    );
  }
  return (
    <p className="flex gap-2">
      <EvidenceMark evidence={sampled.evidence} className="h-5 shrink-0" />
      <span className="min-w-0">
        {t.rich('sampled', {
          attempts: sampled.failed,
          clients: sampled.clients,
          from: () => <ClockTime at={sampled.from} />,
          to: () => <ClockTime at={sampled.to} />,
        })}{' '}
        {link}
      </span>
    </p>
  );
}
