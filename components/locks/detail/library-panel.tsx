'use client';

import { ArrowRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { FormatLabel, useSaid } from '@/components/labels';
import { OldHolder } from '@/components/locks/release/old-holder';
import { ReleaseNotes } from '@/components/locks/release/release-facts';
import { Badge } from '@/components/ui/badge';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import type { LockDetail } from '@/lib/protocol/lock';
import { Candidates } from './candidates';
import { isOnlyDeclared } from './only-declared';
import { PinThis } from './pin-this';

/** Which library the lock belongs to, how that is known, what else it could be, and how it takes a release. */
export function LibraryPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.library');
  const say = useSaid();
  const kinds = useTranslations('labels.kinds');
  const isAlone = (lock.candidates?.length ?? 0) < 2;
  return (
    <Panel
      title={t('title')}
      aside={<Certainty lock={lock} />}
      actions={
        <PageLink
          href="/libraries"
          className="inline-flex items-center gap-1 text-xs font-medium text-accent-ink hover:underline"
        >
          {t('all')}
          <ArrowRight size={12} aria-hidden />
        </PageLink>
      }
    >
      <p className="text-sm font-medium">
        <FormatLabel format={lock.format} />
        <span className="font-normal text-ink-3"> · {kinds(lock.kind)}</span>
      </p>
      <p className="mt-0.5 text-sm text-ink-2">
        {t('why', { why: say(lock.sentences?.why, lock.library.why) })}{' '}
        {isPinned(lock) && <ToPins />}
      </p>
      {!lock.formatCertain && isAlone && <p className="text-xs text-ink-3">{t('uncertain')}</p>}
      <Candidates lock={lock} />
      <div className="mt-2.5 flex flex-col gap-2.5 empty:hidden">
        <PinThis lock={lock} />
        <ReleaseNotes
          format={lock.format}
          notes={lock.library.releaseNotes}
          title={t('onRelease')}
        />
        <OldHolder library={lock.library} />
      </div>
    </Panel>
  );
}

function Certainty({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.library');
  if (isOnlyDeclared(lock)) {
    return (
      <Badge tone="warning" title={t('notKnownTitle')}>
        {t('notKnown')}
      </Badge>
    );
  }
  const isCertain = lock.formatCertain;
  return (
    <Badge tone={isCertain ? 'ok' : 'warning'} title={t(isCertain ? 'certainTitle' : 'uncertain')}>
      {t(isCertain ? 'certain' : 'likely')}
    </Badge>
  );
}

const isPinned = ({ sentences }: LockDetail): boolean =>
  sentences?.why.some(({ id }) => id === 'because:pinned') ?? false;

function ToPins() {
  const t = useTranslations('lock.library');
  return (
    <PageLink href="/libraries" className="text-accent-ink underline underline-offset-2">
      {t('toPins')}
    </PageLink>
  );
}
