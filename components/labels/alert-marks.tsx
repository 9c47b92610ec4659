'use client';

import { EyeOff, Repeat, TimerReset } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { Badge } from '@/components/ui/badge';
import type { Alert } from '@/lib/protocol/alert';
import { FLAPS } from '@/lib/protocol/closed-sets';
import { AlertCodeLabel } from './alert-code-label';
import { ClockTime, useSecondsText } from './time';

interface Props {
  alert: Alert;
  /** Only what makes an alert less certain or less urgent than it looks. */
  short?: boolean;
}

/** What else is to be known of an alert: when it fires, whether it is still seen, why it is quiet. */
export function AlertMarks({ alert, short = false }: Props) {
  const t = useTranslations('alerts');
  const { doubtful, flaps = 0 } = alert;
  return (
    <>
      {alert.state === 'pending' && alert.firesAt != null && <FiresIn at={alert.firesAt} />}
      {doubtful && (
        <Badge
          tone="warning"
          icon={<EyeOff size={11} aria-hidden className="shrink-0" />}
          title={t('doubtfulMeaning')}
        >
          {short
            ? t('doubtful')
            : t.rich('doubtfulSince', {
                time: () => <ClockTime at={doubtful.since} />,
                code: () => <AlertCodeLabel code={doubtful.code} />,
              })}
        </Badge>
      )}
      {alert.state !== 'resolved' && alert.keptUntil != null && (
        <Badge
          icon={<TimerReset size={11} aria-hidden className="shrink-0" />}
          title={t('keptMeaning')}
        >
          {t.rich('keptUntil', { time: () => <ClockTime at={alert.keptUntil ?? 0} /> })}
        </Badge>
      )}
      {!short && flaps > 0 && (
        <Badge
          icon={<Repeat size={11} aria-hidden className="shrink-0" />}
          title={t(flaps > FLAPS ? 'flappingMeaning' : 'returnedMeaning', { count: flaps })}
        >
          {t(flaps > FLAPS ? 'flapping' : 'returned', { count: flaps })}
        </Badge>
      )}
      {!short && alert.state === 'silenced' && alert.silencedUntil !== null && (
        <Faint>
          {t.rich('silencedUntil', { time: () => <ClockTime at={alert.silencedUntil ?? 0} /> })}
        </Faint>
      )}
    </>
  );
}

/** Counts down; the words stay as wide while it does. */
function FiresIn({ at }: { at: number }) {
  const t = useTranslations('alerts');
  const now = useNow();
  const seconds = useSecondsText();
  if (now === 0) return null;
  return (
    <Faint>{at > now ? t('firesIn', { duration: seconds(at - now + 999) }) : t('firesNow')}</Faint>
  );
}

const Faint = ({ children }: { children: ReactNode }) => (
  <span className="text-xs whitespace-nowrap text-ink-2">{children}</span>
);
