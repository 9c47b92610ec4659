import type { ReactNode } from 'react';
import { AttentionProvider } from '@/components/alerts/attention/attention-provider';
import { LiveProvider } from '@/components/live/live-provider';
import { ConsoleShell } from '@/components/shell/console-shell';

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <LiveProvider>
      <AttentionProvider>
        <ConsoleShell>{children}</ConsoleShell>
      </AttentionProvider>
    </LiveProvider>
  );
}
