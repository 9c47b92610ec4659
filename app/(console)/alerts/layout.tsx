import type { ReactNode } from 'react';
import { AlertTabs } from '@/components/alerts/alert-tabs';

export default function AlertsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AlertTabs />
      {children}
    </>
  );
}
