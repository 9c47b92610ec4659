import type { ReactNode } from 'react';
import { AttentionProvider } from '@/components/alerts/attention/attention-provider';
import { LiveProvider } from '@/components/live/live-provider';
import { ConsoleShell } from '@/components/shell/console-shell';
import { Texts } from '@/components/texts/texts';
import type { Section } from '@/lib/messages';

/** What every page with a session says. */
const COMMON: Section[] = [
  'alerts',
  'errors',
  'formatNames',
  'labels',
  'live',
  'sentences',
  'time',
];

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Texts of={COMMON}>
      <LiveProvider>
        <AttentionProvider>
          <ConsoleShell>{children}</ConsoleShell>
        </AttentionProvider>
      </LiveProvider>
    </Texts>
  );
}
