'use client';

import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface Props<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  tabs: readonly { value: V; label: ReactNode; content: ReactNode }[];
}

/** Panels of which one shows; arrow keys move between the tabs. */
export function Tabs<V extends string>({ label, value, onChange, tabs }: Props<V>) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next: unknown) => {
        const tab = tabs.find((each) => each.value === next);
        if (tab) onChange(tab.value);
      }}
    >
      <Base.List aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex h-8 items-center border-b-2 border-transparent text-sm whitespace-nowrap text-ink-2 hover:text-ink data-[active]:border-accent-ink data-[active]:font-medium data-[active]:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-3">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
