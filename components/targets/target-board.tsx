'use client';

import { Radar } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Target } from '@/lib/protocol/target';
import { useLive } from '@/components/hooks';
import { IDLE_CHANNELS_ID } from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { Badge } from '@/components/ui/badge';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { Capabilities } from './capabilities';
import { IdleChannels } from './idle-channels';
import { LinkedPlace } from './linked-place';
import { NodePanel } from './node-panel';
import { ProbeTable } from './probe-table';
import { TargetWarnings } from './target-warnings';
import { WatchedKeys } from './watched-keys';

/** Every watched Redis: what reaches us, what does not, and how to change that. */
export function TargetBoard() {
  const t = useTranslations('targets');
  const answer = useLive('targets', {});
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      <LiveData snapshot={answer}>
        {(targets) =>
          targets.length === 0 ? (
            <div className="rounded-lg border border-line bg-surface">
              <EmptyState icon={<Radar size={22} aria-hidden />} title={t('none')}>
                {t('noneText')}
              </EmptyState>
            </div>
          ) : (
            <div className="flex flex-col gap-6">
              {targets.map((target) => (
                <TargetSection key={target.id} target={target} />
              ))}
            </div>
          )
        }
      </LiveData>
    </PageBody>
  );
}

function TargetSection({ target }: { target: Target }) {
  const t = useTranslations('targets');
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <h2 className="flex min-w-0 items-center gap-2 text-base font-semibold">
        <span className="truncate">{target.id}</span>
        <Badge>{t(`modes.${target.mode}`)}</Badge>
      </h2>
      <TargetWarnings warnings={target.warnings} />
      {target.nodes.map((node) => (
        <NodePanel key={node.addr} node={node} />
      ))}
      <div className="grid min-w-0 gap-3 lg:grid-cols-2">
        <Panel title={t('capabilities')}>
          <Capabilities capabilities={target.capabilities} missingRules={target.missingRules} />
        </Panel>
        <Panel title={t('watch')}>
          <WatchedKeys target={target} />
        </Panel>
      </div>
      {target.probes && (
        <Panel flush title={t('probes.title')} description={t('probes.description')}>
          <ProbeTable probes={target.probes} />
        </Panel>
      )}
      {target.idleChannels && (
        <LinkedPlace id={IDLE_CHANNELS_ID}>
          <Panel title={t('idleChannels.title')} description={t('idleChannels.description')}>
            <IdleChannels
              channels={target.idleChannels}
              count={target.idleChannelCount ?? target.idleChannels.length}
              clients={target.channelClients ?? []}
            />
          </Panel>
        </LinkedPlace>
      )}
    </section>
  );
}
