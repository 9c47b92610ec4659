'use client';

import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { useMoment } from '@/components/hooks';
import { AdviceBoard } from '@/components/advice/advice-board';
import { ConfigurationAdvice } from '@/components/advice/configuration-advice';
import { TimeoutAdviceList } from '@/components/advice/timeout-advice';
import { AttentionProvider } from '@/components/alerts/attention/attention-provider';
import { AlertTabs } from '@/components/alerts/alert-tabs';
import { IncidentBoard } from '@/components/alerts/incident/incident-board';
import { AlertBoard } from '@/components/alerts/list/alert-board';
import { RulesBoard } from '@/components/alerts/rules/rules-board';
import { SilencesBoard } from '@/components/alerts/silences/silences-board';
import { AuditBoard } from '@/components/audit/audit-board';
import { BlameBoard } from '@/components/blame/blame-board';
import { DeadlockBoard } from '@/components/graph/deadlock-board';
import { PastDeadlocks } from '@/components/graph/past-deadlocks';
import { HeatBoard } from '@/components/heatmap/heat-board';
import { OverviewHeatmap } from '@/components/heatmap/overview-heatmap';
import { LibraryBoard } from '@/components/libraries/library-board';
import { LockView } from '@/components/locks/detail/lock-view';
import { LocksView } from '@/components/locks/list/locks-view';
import { MomentNotices } from '@/components/past/moment-notices';
import { PastLocks } from '@/components/past/past-locks';
import { PastLockView } from '@/components/past/past-lock';
import { TimeMachine } from '@/components/past/time-machine';
import { NotifyBoard } from '@/components/notify/notify-board';
import { OverviewBoard } from '@/components/overview/overview-board';
import { SettingsBoard } from '@/components/settings/settings-board';
import { ConsoleShell } from '@/components/shell/console-shell';
import { useIsHydrated } from '@/components/shell/use-is-hydrated';
import { TargetBoard } from '@/components/targets/target-board';
import { TraceBoard } from '@/components/traces/trace-board';
import { TracesBoard } from '@/components/traces/traces-board';
import { WaitsBoard } from '@/components/waits/waits-board';
import { SampleLive } from './sample-live';
import { scenes, type Scene, type ScenePage } from './scenes';

/** One page of the console in one state, in its frame. */
export function SceneView({ name }: { name: string }) {
  // The samples are dated by the clock of the browser, so they exist only there.
  return useIsHydrated() ? <NamedScene name={name} /> : null;
}

function NamedScene({ name }: { name: string }) {
  const [all] = useState(() => scenes(Date.now()));
  const scene = all[name];
  if (!scene) return <p className="p-4">{name}?</p>;
  return (
    <SampleLive
      {...scene}
      session={{ name: 'mara@example.com', role: scene.role, version: '0.0.0' }}
    >
      <AttentionProvider>
        <ConsoleShell>
          <Suspense>
            <AtMoment at={scene.at}>{PAGES[scene.page](scene)}</AtMoment>
          </Suspense>
        </ConsoleShell>
      </AttentionProvider>
    </SampleLive>
  );
}

/** Puts the moment of the scene into the address, where the pages read it. */
function AtMoment({ at, children }: { at: number | undefined; children: ReactNode }) {
  const { goTo } = useMoment();
  useEffect(() => {
    if (at !== undefined) goTo(at, 'replace');
  }, [at, goTo]);
  return children;
}

const ADDRESS = { target: '127.0.0.1:6379', db: 0, keyB64: 'b3JkZXJfc3luYzoyMDc3MQ' };

const PAGES: Record<ScenePage, (scene: Scene) => ReactNode> = {
  locks: () => (
    <TimeMachine past={<PastLocks />}>
      <LocksView />
    </TimeMachine>
  ),
  lock: () => (
    <TimeMachine past={<PastLockView address={ADDRESS} />} lock={ADDRESS}>
      <LockView address={ADDRESS} />
    </TimeMachine>
  ),
  overview: () => <OverviewBoard heatmap={<OverviewHeatmap />} />,
  heatmap: () => (
    <TimeMachine withRange>
      <HeatBoard />
    </TimeMachine>
  ),
  waits: () => <WaitsBoard />,
  blame: () => <BlameBoard />,
  advice: () => <AdviceBoard />,
  timeouts: () => <TimeoutAdviceList />,
  configuration: () => <ConfigurationAdvice />,
  traces: () => <TracesBoard />,
  trace: () => <TraceBoard id="sample" />,
  deadlocks: () => (
    <TimeMachine past={[<MomentNotices key="notices" />, <PastDeadlocks key="deadlocks" />]}>
      <DeadlockBoard />
    </TimeMachine>
  ),
  alerts: () => [<AlertTabs key="tabs" />, <AlertBoard key="board" />],
  alert: () => [<AlertTabs key="tabs" />, <IncidentBoard key="board" id="a1" />],
  rules: () => [<AlertTabs key="tabs" />, <RulesBoard key="board" />],
  silences: () => [<AlertTabs key="tabs" />, <SilencesBoard key="board" />],
  audit: () => <AuditBoard />,
  libraries: () => <LibraryBoard />,
  notifications: () => <NotifyBoard />,
  targets: () => <TargetBoard />,
  settings: ({ loadUsers }) => <SettingsBoard loadUsers={loadUsers} />,
};
