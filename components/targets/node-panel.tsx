'use client';

import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { TargetNode } from '@/lib/protocol/target';
import { TimeAgo } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { Meter } from '@/components/ui/meter';
import { CanSeeTicks } from './can-see-ticks';
import { shortCount } from './counts';
import { GapList } from './gap-list';

const NOTHING_SEEN = { acquire: false, release: false, lapse: false, eviction: false };

/** One node: what of it reaches us. */
export function NodePanel({ node }: { node: TargetNode }) {
  const t = useTranslations('targets');
  return (
    <section aria-label={node.addr} className="min-w-0 rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <h3 className="min-w-0 truncate font-mono text-sm font-semibold">{node.addr}</h3>
        <Badge tone={node.connected ? 'ok' : 'critical'}>
          {t(node.connected ? 'connected' : 'disconnected')}
        </Badge>
        <Badge tone={node.role === 'replica' ? 'warning' : 'neutral'}>
          {t(`roles.${node.role}`)}
        </Badge>
        {node.version !== null && <Badge>{`Redis ${node.version}`}</Badge>}
      </header>
      <CanSeeTicks canSee={node.connected ? node.canSee : NOTHING_SEEN} />
      <div className="grid min-w-0 gap-x-8 gap-y-4 border-t border-line p-3 lg:grid-cols-2">
        <NodeFacts node={node} />
        <GapList gaps={node.gaps} />
      </div>
    </section>
  );
}

const TYPES = ['string', 'hash', 'zset'] as const;

function NodeFacts({ node }: { node: TargetNode }) {
  const t = useTranslations('targets');
  const items: KeyValueItem[] = [
    {
      label: t('canary'),
      value: (
        <Explained by={t('canaryMeaning')}>
          <Canary node={node} />
        </Explained>
      ),
    },
    { label: t('events'), value: <Events node={node} /> },
    {
      label: t('sweep'),
      value: (
        <Explained by={t('sweepMeaning')}>
          <Sweep sweep={node.sweep} />
        </Explained>
      ),
    },
    { label: t('flags'), value: <Flags node={node} /> },
    {
      label: t('acquireOf'),
      value: (
        <span className="flex flex-wrap gap-x-3">
          {TYPES.map((type) => (
            <span key={type} className="text-ink-2">
              {t(`acquireTypes.${type}`)}:{' '}
              <span className={node.acquireOf[type] === false ? 'text-critical' : 'text-ink'}>
                {t(node.acquireOf[type] === null ? 'unknown' : node.acquireOf[type] ? 'yes' : 'no')}
              </span>
            </span>
          ))}
        </span>
      ),
    },
    {
      label: t('patterns'),
      value:
        node.patterns.length === 0 ? (
          '–'
        ) : (
          <ul>
            {node.patterns.map((pattern) => (
              <li key={pattern} className="font-mono text-xs break-all">
                {pattern}
              </li>
            ))}
          </ul>
        ),
    },
  ];
  return <KeyValue items={items} />;
}

/** A figure under a name of our own, with what that name means. */
function Explained({ by, children }: { by: string; children: ReactNode }) {
  return (
    <>
      {children}
      <p className="text-xs text-ink-3">{by}</p>
    </>
  );
}

function Canary({ node }: { node: TargetNode }) {
  const t = useTranslations('targets');
  const format = useFormatter();
  if (node.canaryMs === null || node.canaryAt === null) {
    return <span className="text-critical">{t('canaryNever')}</span>;
  }
  const ms = format.number(node.canaryMs, { maximumSignificantDigits: 3 });
  return (
    <>
      {t('canaryText', { ms })} <TimeAgo at={node.canaryAt} />
    </>
  );
}

function Events({ node }: { node: TargetNode }) {
  const t = useTranslations('targets');
  const format = useFormatter();
  if (node.lastEventAt === null) return <>{t('noEvents')}</>;
  const rate = format.number(node.eventsPerSecond, { maximumSignificantDigits: 3 });
  return (
    <>
      {t('eventsText', { rate, total: node.eventsTotal })} <TimeAgo at={node.lastEventAt} />
    </>
  );
}

function Sweep({ sweep }: { sweep: TargetNode['sweep'] }) {
  const t = useTranslations('targets');
  const scanned = shortCount(sweep.scanned);
  if (sweep.running) {
    const known = sweep.keys !== null && sweep.keys > 0;
    return (
      <span className="block">
        {known
          ? t('sweepRunning', { scanned, keys: shortCount(sweep.keys ?? 0), locks: sweep.locks })
          : t('sweepRunningUnknown', { scanned, locks: sweep.locks })}
        {known && <Meter share={sweep.scanned / (sweep.keys ?? 1)} className="mt-1 max-w-72" />}
      </span>
    );
  }
  if (sweep.finishedAt === null) return <>{t('sweepNever')}</>;
  return (
    <>
      {t('sweepDone', { scanned, keys: sweep.scanned, locks: sweep.locks })}{' '}
      <TimeAgo at={sweep.finishedAt} />
    </>
  );
}

function Flags({ node }: { node: TargetNode }) {
  const t = useTranslations('targets');
  return (
    <span className="flex flex-wrap items-center gap-2">
      {node.notifyFlags === null ? (
        <span className="text-ink-3">{t('flagsUnreadable')}</span>
      ) : node.notifyFlags === '' ? (
        <span className="text-critical">{t('flagsEmpty')}</span>
      ) : (
        <code className="font-mono">{node.notifyFlags}</code>
      )}
      {node.missingClasses.length > 0 && (
        <Badge tone="warning">{t('missing', { classes: node.missingClasses.join(' ') })}</Badge>
      )}
    </span>
  );
}
