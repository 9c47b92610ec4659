'use client';

import { Suspense, useState, type ReactNode } from 'react';
import { AdviceBoard } from '@/components/advice/advice-board';
import { AlertBoard } from '@/components/alerts/alert-board';
import { AuditBoard } from '@/components/audit/audit-board';
import { BlameBoard } from '@/components/blame/blame-board';
import { DeadlockBoard } from '@/components/graph/deadlock-board';
import { HeatBoard } from '@/components/heatmap/heat-board';
import { OverviewHeatmap } from '@/components/heatmap/overview-heatmap';
import { LibraryBoard } from '@/components/libraries/library-board';
import { LockView } from '@/components/locks/detail/lock-view';
import { LocksView } from '@/components/locks/list/locks-view';
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
      <ConsoleShell>
        <Suspense>{PAGES[scene.page](scene)}</Suspense>
      </ConsoleShell>
    </SampleLive>
  );
}

const PAGES: Record<ScenePage, (scene: Scene) => ReactNode> = {
  locks: () => <LocksView />,
  lock: () => <LockView address={{ target: '127.0.0.1:6379', db: 0, keyB64: '' }} />,
  overview: () => <OverviewBoard heatmap={<OverviewHeatmap />} />,
  heatmap: () => <HeatBoard />,
  waits: () => <WaitsBoard />,
  blame: () => <BlameBoard />,
  advice: () => <AdviceBoard />,
  traces: () => <TracesBoard />,
  trace: () => <TraceBoard id="sample" />,
  deadlocks: () => <DeadlockBoard />,
  alerts: () => <AlertBoard />,
  audit: () => <AuditBoard />,
  libraries: () => <LibraryBoard />,
  targets: () => <TargetBoard />,
  settings: ({ loadUsers }) => <SettingsBoard loadUsers={loadUsers} />,
};
