import type { ReactNode } from 'react';
import { LiveProvider } from '@/components/live/live-provider';
import { ConsoleShell } from '@/components/shell/console-shell';

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <LiveProvider>
      <ConsoleShell>{children}</ConsoleShell>
    </LiveProvider>
  );
}
