'use client';

import { PageLink } from '@/components/ui/page-link';
import { useCallback, useSyncExternalStore, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useOpenAlerts } from '@/components/hooks/use-open-alerts';
import { useClockText, useSaid } from '@/components/labels';
import { useLiveContext } from '@/components/live/live-context';
import { useLoss } from '@/components/live/loss';
import { Notice } from '@/components/ui/notice';

/** Stands above every page while its figures cannot be trusted to be of now. */
export function ConnectionBanner() {
  const t = useTranslations('shell.connection');
  const loss = useLoss();
  const refused = useRefused();
  const storeBroken = useOpenAlerts().items.find(({ code }) => code === 'store-broken');
  const clock = useClockText();
  const say = useSaid();
  if (refused === 'UNAUTHENTICATED') {
    return (
      <Banner
        title={t('signedOut')}
        actions={
          <PageLink href="/sign-in" className="font-medium underline">
            {t('signIn')}
          </PageLink>
        }
      />
    );
  }
  if (loss?.of === 'console') {
    return (
      <Banner title={t('disconnected')}>
        {loss.since !== null && <>{t('figuresFrom', { time: clock(loss.since) })} </>}
        {t('reconnecting')}
      </Banner>
    );
  }
  if (loss) {
    return (
      <Banner
        title={
          loss.since === null ? t('redisLost') : t('redisLostSince', { time: clock(loss.since) })
        }
      >
        {t('reconnecting')}
      </Banner>
    );
  }
  if (!storeBroken) return null;
  return (
    <Banner title={say(storeBroken.sentences?.summary, storeBroken.summary)}>
      {say(storeBroken.sentences?.remedy, storeBroken.remedy)}
    </Banner>
  );
}

function Banner(props: { title: string; actions?: ReactNode; children?: ReactNode }) {
  return (
    <Notice
      tone="critical"
      role="alert"
      title={props.title}
      actions={props.actions}
      className="rounded-none border-x-0 border-t-0"
    >
      {props.children}
    </Notice>
  );
}

/** The code with which the console turned this session away. */
function useRefused(): string | null {
  const { store } = useLiveContext();
  const subscribe = useCallback((listener: () => void) => store.onConnection(listener), [store]);
  return useSyncExternalStore(
    subscribe,
    () => store.refused?.code ?? null,
    () => null,
  );
}
