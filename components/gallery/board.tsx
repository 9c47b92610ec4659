'use client';

import { Inbox, Trash2 } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useState, type ReactNode } from 'react';
import {
  EndReasonLabel,
  EvidenceMark,
  Figure,
  KeyText,
  OwnerText,
  SeverityBadge,
  StateBadge,
  WaitingText,
} from '@/components/labels';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { useIsHydrated } from '@/components/shell/use-is-hydrated';
import { Button } from '@/components/ui/button';
import { Checkbox, Field, Input, Select, Textarea } from '@/components/ui/field';
import { EmptyState } from '@/components/ui/empty-state';
import { IconButton } from '@/components/ui/icon-button';
import { Kbd } from '@/components/ui/kbd';
import { Meter } from '@/components/ui/meter';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Severity } from '@/lib/protocol/alert';
import { EndReason, Evidence, LockState } from '@/lib/protocol/lock';
import { hostileLocks, sampleOwner, sampleWaiting } from './locks';
import { scenes } from './scenes';

/** The primitives and labels in all their states, and the way to the scenes. */
function GalleryBoard() {
  return (
    <main className="mx-auto flex max-w-6xl flex-col gap-4 p-4">
      <header className="flex items-center justify-between">
        <h1 className="text-xl font-semibold">Gallery</h1>
        <ThemeToggle />
      </header>
      <Scenes />
      <div className="grid gap-4 md:grid-cols-2">
        <Labels />
        <Texts />
        <Controls />
        <Fields />
        <Notices />
        <States />
      </div>
    </main>
  );
}

function Scenes() {
  return (
    <Panel title="Scenes">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {Object.keys(scenes(0)).map((name) => (
          <li key={name}>
            <PageLink
              href={`/gallery/${name}`}
              prefetch={false}
              className="text-accent-ink hover:underline"
            >
              {name}
            </PageLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="mb-2.5 flex flex-wrap items-center gap-2 last:mb-0">{children}</div>
);

function Labels() {
  return (
    <Panel title="Labels">
      <Row>
        {LockState.options.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
      </Row>
      <Row>
        {Severity.options.map((severity) => (
          <SeverityBadge key={severity} severity={severity} />
        ))}
      </Row>
      <Row>
        {EndReason.options.map((reason) => (
          <EndReasonLabel key={reason} reason={reason} />
        ))}
      </Row>
      <Row>
        {Evidence.options.map((evidence) => (
          <EvidenceMark key={evidence} evidence={evidence} named />
        ))}
        {Evidence.options.map((evidence) => (
          <Figure key={evidence} evidence={evidence}>
            12
          </Figure>
        ))}
      </Row>
      <Row>
        <WaitingText waiting={sampleWaiting()} />
        <WaitingText
          waiting={sampleWaiting({ evidence: 'observed', count: 1, source: 'fair-queue' })}
        />
        <WaitingText
          waiting={sampleWaiting({
            evidence: 'observed',
            count: 2,
            unit: 'instances',
            source: 'pubsub',
          })}
        />
        <WaitingText waiting={sampleWaiting({ count: 0, source: 'never-waits' })} />
      </Row>
    </Panel>
  );
}

function Texts() {
  return (
    <Panel title="Keys and owners">
      <ul className="flex flex-col gap-1.5">
        {hostileLocks(0).map((lock) => (
          <li key={lock.keyB64} className="flex min-w-0">
            <KeyText text={lock.key} lock={lock} />
          </li>
        ))}
        <li className="w-48">
          <OwnerText owner={sampleOwner({ host: 'worker-3', liveness: 'not-seen' })} />
        </li>
      </ul>
    </Panel>
  );
}

function Controls() {
  const [view, setView] = useState<'all' | 'lost'>('all');
  return (
    <Panel title="Controls">
      <Row>
        <Button look="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button look="ghost">Ghost</Button>
        <Button look="danger">Release</Button>
        <Button disabled>Disabled</Button>
        <Button look="primary" pending>
          Releasing…
        </Button>
        <IconButton label="Delete" icon={<Trash2 size={14} aria-hidden />} />
        <Kbd>g</Kbd>
      </Row>
      <Row>
        <SegmentedControl
          label="View"
          value={view}
          onChange={setView}
          options={[
            { value: 'all', label: 'All', count: 214 },
            { value: 'lost', label: 'Lost', count: 3 },
          ]}
        />
      </Row>
      <Meter share={0.7} label="Lease" className="mt-3" />
      <Meter share={0.12} tone="warning" label="Lease" className="mt-2" />
    </Panel>
  );
}

function Fields() {
  return (
    <Panel title="Fields">
      <div className="flex flex-col gap-3">
        <Field label="Key" hint="A hint below.">
          {(ids) => <Input {...ids} placeholder="order_sync:1042" />}
        </Field>
        <Field label="Reason" error="At least 3 characters.">
          {(ids) => <Textarea {...ids} defaultValue="no" />}
        </Field>
        <Select aria-label="State">
          <option>any</option>
        </Select>
        <Checkbox label="The holder looks alive. Release it all the same." />
      </div>
    </Panel>
  );
}

function Notices() {
  return (
    <Panel title="Notices">
      <div className="flex flex-col gap-2">
        <Notice title="Kept on purpose">The work is done.</Notice>
        <Notice tone="ok">Released; 2 waiters were woken.</Notice>
        <Notice tone="warning" title="The holder keeps working.">
          A release does not stop it.
        </Notice>
        <Notice tone="critical" title="Not released" actions={<Button>Look again</Button>}>
          The holder has changed.
        </Notice>
      </div>
    </Panel>
  );
}

function States() {
  return (
    <Panel title="Empty and loading">
      <EmptyState icon={<Inbox size={24} aria-hidden />} title="Nothing here">
        And this is why.
      </EmptyState>
      <SkeletonRows rows={3} label="Loading" />
    </Panel>
  );
}

/** Drawn in the browser alone: nothing in the gallery is worth the server's time. */
export const Gallery = () => (useIsHydrated() ? <GalleryBoard /> : null);
