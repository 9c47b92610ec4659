'use client';

import { Suspense, useState } from 'react';
import { LockView } from '@/components/locks/detail/lock-view';
import { LocksView } from '@/components/locks/list/locks-view';
import { ConsoleShell } from '@/components/shell/console-shell';
import { useIsHydrated } from '@/components/shell/use-is-hydrated';
import { SampleLive } from './sample-live';
import { scenes, type ScenePage } from './scenes';

/** One page of the console in one state, in its frame. */
export function SceneView({ name }: { name: string }) {
  // The samples are dated by the clock of the browser, so they exist only there.
  return useIsHydrated() ? <Scene name={name} /> : null;
}

function Scene({ name }: { name: string }) {
  const [all] = useState(() => scenes(Date.now()));
  const scene = all[name];
  if (!scene) return <p className="p-4">{name}?</p>;
  return (
    <SampleLive
      {...scene}
      session={{ name: 'mara@example.com', role: scene.role, version: '0.0.0' }}
    >
      <ConsoleShell>
        <Suspense>
          <Page page={scene.page} />
        </Suspense>
      </ConsoleShell>
    </SampleLive>
  );
}

function Page({ page }: { page: ScenePage }) {
  if (page === 'locks') return <LocksView />;
  return <LockView address={{ target: '127.0.0.1:6379', db: 0, keyB64: '' }} />;
}
