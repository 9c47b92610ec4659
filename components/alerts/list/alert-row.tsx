'use client';

import { clsx } from 'clsx';
import { BellOff, ChevronDown, ChevronRight, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import {
  AlertCodeLabel,
  alertHref,
  AlertMarks,
  AlertStateBadge,
  ClockTime,
  DurationText,
  Elapsed,
  EvidenceMark,
  SeverityBadge,
  useSaid,
} from '@/components/labels';
import { AlertMoments } from '@/components/alerts/alert-moments';
import { AlertSubjectLinks, isOfOneThing } from '@/components/alerts/alert-subject';
import { HowItEnded } from '@/components/alerts/how-it-ended';
import { isDue } from '@/components/alerts/act-scope';
import { Caretaker } from '@/components/alerts/caretaker';
import { Badge } from '@/components/ui/badge';
import { IconButton } from '@/components/ui/icon-button';
import { PageLink } from '@/components/ui/page-link';
import { lockCountOf } from '@/lib/analysis/alert-locks';
import type { Alert } from '@/lib/protocol/alert';
import { RowLabels } from './row-labels';

export interface RowActs {
  toggle: (id: string, reach: boolean) => void;
  expand: (id: string) => void;
  acknowledge: (id: string) => void;
  silence: (id: string) => void;
}

interface Props {
  alert: Alert;
  /** It left the live list while somebody works in this one. */
  hasLeft?: boolean;
  isChosen?: boolean;
  isActive?: boolean;
  isExpanded?: boolean;
  /** The rows are under headings of their groups. */
  inGroup?: boolean;
  /** Null while it is not known. */
  mayAct: boolean | null;
  acts: RowActs;
}

/** Id of what says why one may only read; it stands above the list. */
export const VIEWER_NOTE = 'alerts-viewer-note';

const EDGE = { critical: 'border-l-critical', warning: 'border-l-warning', info: 'border-l-info' };

/** One alert in two lines: what, in which state, about what, since when, how we know. The rest when it is unfolded. */
export function AlertRow(props: Props) {
  const { alert, hasLeft = false, isChosen = false, isActive = false, isExpanded = false } = props;
  const isLoud = alert.state === 'firing' && !hasLeft;
  return (
    <div
      className={clsx(
        'flex min-w-0 gap-2.5 border-b border-l-3 border-b-line px-3 py-2',
        isLoud ? EDGE[alert.severity] : 'border-l-line-strong',
        isChosen ? 'bg-accent-soft' : isActive && 'bg-sunken',
      )}
    >
      {props.mayAct !== false && <Chooser {...props} isChosen={isChosen} />}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <RowHead {...props} hasLeft={hasLeft} isExpanded={isExpanded} />
        <RowSummary alert={alert} isExpanded={isExpanded} />
        {isExpanded && <RowMore alert={alert} />}
      </div>
    </div>
  );
}

function Chooser({ alert, isChosen, acts }: Pick<Props, 'alert' | 'isChosen' | 'acts'>) {
  const t = useTranslations('alerts');
  return (
    // The box is small; what may be pressed is as large as the row's edge.
    <label className="-my-2 -ml-3 flex shrink-0 cursor-pointer items-start py-2.5 pl-3">
      <input
        type="checkbox"
        className="size-3.5 accent-accent"
        checked={isChosen}
        aria-label={t('choose', { label: alert.subject.label })}
        onChange={() => undefined}
        onClick={(event) => acts.toggle(alert.id, event.shiftKey)}
      />
    </label>
  );
}

function RowHead(props: Props) {
  const { alert, hasLeft, inGroup, isExpanded, mayAct, acts } = props;
  const t = useTranslations('alerts');
  const Heading = inGroup ? 'h3' : 'h2';
  return (
    <div className="flex min-w-0 items-start gap-x-2.5">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <SeverityBadge severity={alert.severity} />
        <Heading className="font-semibold">
          <PageLink href={alertHref(alert)} className="hover:text-accent-ink hover:underline">
            <AlertCodeLabel code={alert.code} />
          </PageLink>
        </Heading>
        {hasLeft ? <Badge>{t('hasLeft')}</Badge> : <AlertStateBadge alert={alert} />}
        {!hasLeft && <AlertMarks alert={alert} />}
        <EvidenceMark evidence={alert.evidence} />
        {alert.subject.kind === 'locks' && (
          <span className="text-xs text-ink-3">{t('locks', { count: lockCountOf(alert) })}</span>
        )}
        <Duration alert={alert} />
      </div>
      <div className="-my-1 flex shrink-0 items-center">
        {!hasLeft && isDue(alert, 'acknowledge') && (
          <IconButton
            label={t('acknowledge')}
            disabled={mayAct !== true}
            aria-describedby={mayAct === false ? VIEWER_NOTE : undefined}
            icon={<UserCheck size={15} aria-hidden />}
            onClick={() => acts.acknowledge(alert.id)}
          />
        )}
        {!hasLeft && isDue(alert, 'silence') && (
          <IconButton
            label={t('silence')}
            disabled={mayAct !== true}
            aria-describedby={mayAct === false ? VIEWER_NOTE : undefined}
            icon={<BellOff size={15} aria-hidden />}
            onClick={() => acts.silence(alert.id)}
          />
        )}
        <IconButton
          label={t(isExpanded ? 'less' : 'more')}
          aria-expanded={isExpanded ?? false}
          icon={
            isExpanded ? (
              <ChevronDown size={15} aria-hidden />
            ) : (
              <ChevronRight size={15} aria-hidden />
            )
          }
          onClick={() => acts.expand(alert.id)}
        />
      </div>
    </div>
  );
}

function Duration({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const { since, resolvedAt } = alert;
  return (
    <span className="text-xs text-ink-3 tabular-nums sm:ml-auto">
      {resolvedAt === null ? (
        <>
          {t('conditionFor')} <Elapsed since={since} className="text-ink-2" />
        </>
      ) : (
        t.rich('lasted', {
          duration: () => <DurationText ms={resolvedAt - since} />,
          time: () => <ClockTime at={resolvedAt} />,
        })
      )}
    </span>
  );
}

function RowSummary({ alert, isExpanded }: { alert: Alert; isExpanded: boolean }) {
  const say = useSaid();
  const summary = say(alert.sentences?.summary, alert.summary);
  const isOfOne = isOfOneThing(alert);
  const subject = <AlertSubjectLinks alert={alert} most={isExpanded ? 20 : 2} />;
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5">
      {isOfOne && subject}
      <p
        title={isExpanded ? undefined : summary}
        className={clsx('max-w-full text-ink', isExpanded ? 'break-words' : 'truncate')}
      >
        {summary}
      </p>
      {!isOfOne && subject}
    </div>
  );
}

function RowMore({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const say = useSaid();
  return (
    <div className="mt-1 flex flex-col gap-1.5 text-sm text-ink-2">
      <p className="max-w-prose break-words">
        <Term>{t(alert.state === 'resolved' ? 'advised' : 'todo')}</Term>{' '}
        {say(alert.sentences?.remedy, alert.remedy)}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <AlertMoments alert={alert} />
        <EvidenceMark evidence={alert.evidence} named />
      </p>
      {alert.ending && <HowItEnded ending={alert.ending} />}
      <Caretaker alert={alert} />
      <RowLabels alert={alert} />
    </div>
  );
}

const Term = ({ children }: { children: ReactNode }) => (
  <span className="text-ink-3">{children}:</span>
);
