'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useOpenAlerts } from '@/components/hooks/use-open-alerts';
import { alertHref, useSaid } from '@/components/labels';
import type { Alert } from '@/lib/protocol/alert';
import type { AttentionSetting } from './attention-setting';
import { isCalling, newlyCalling } from './newly';
import { mayNotify } from './permission';
import { becomeCaller, isAnyInView, sayInView } from './tabs';
import { playTone } from './tone';
import { useTabBadge } from './use-tab-badge';

/** Draws nothing: counts in the tab, and calls when a new alert fires. */
export function Caller({ setting }: { setting: AttentionSetting }) {
  const { items, attention, isLive } = useOpenAlerts();
  useTabBadge({ critical: attention?.critical ?? 0, warning: attention?.warning ?? 0 });
  useInView();
  const isCaller = useIsCaller();
  const shown = useRef(new Map<string, Notification>());
  const known = useRef<ReadonlySet<string> | null>(null);
  const notify = useNotify(shown);
  const call = useEffectEvent(async (fresh: readonly Alert[]): Promise<void> => {
    if (fresh.length === 0 || !isCaller.current) return;
    if (setting.sound) await playTone();
    if (setting.notify && mayNotify() === 'granted' && !(await isAnyInView())) {
      for (const alert of fresh) notify(alert);
    }
  });
  useEffect(() => {
    if (!isLive) return;
    const next = newlyCalling(known.current, items);
    known.current = next.known;
    void call(next.fresh);
    closeOver(shown.current, items);
  }, [items, isLive]);
  return null;
}

/** Takes away what tells of an alert that somebody looks after by now, or that is over. */
function closeOver(shown: Map<string, Notification>, items: readonly Alert[]): void {
  const calling = new Set(items.filter(isCalling).map(({ id }) => id));
  for (const [id, notification] of shown) {
    if (calling.has(id)) continue;
    notification.close();
    shown.delete(id);
  }
}

function useNotify(shown: RefObject<Map<string, Notification>>): (alert: Alert) => void {
  const labels = useTranslations('labels');
  const router = useRouter();
  const say = useSaid();
  return (alert) => {
    const title = `${labels(`severities.${alert.severity}`)}: ${labels(`alertCodes.${alert.code}`)}`;
    const body = `${alert.subject.label.slice(0, 120)}\n${say(alert.sentences?.summary, alert.summary)}`;
    // The same tag: one for each incident, whichever tab tells of it.
    const notification = new Notification(title, { body, tag: alert.id, icon: '/icon.svg' });
    notification.addEventListener('click', () => {
      window.focus();
      router.push(alertHref(alert));
      notification.close();
    });
    shown.current.set(alert.id, notification);
  };
}

function useIsCaller() {
  const isCaller = useRef(false);
  useEffect(() => {
    const end = new AbortController();
    becomeCaller(() => (isCaller.current = true), end.signal);
    return () => {
      isCaller.current = false;
      end.abort();
    };
  }, []);
  return isCaller;
}

function useInView(): void {
  useEffect(() => {
    let end: AbortController | null = null;
    const follow = (): void => {
      end?.abort();
      end = null;
      if (document.visibilityState !== 'visible') return;
      end = new AbortController();
      sayInView(end.signal);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      end?.abort();
    };
  }, []);
}
