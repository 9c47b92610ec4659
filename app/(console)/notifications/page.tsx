import type { Metadata } from 'next';
import { NotifyBoard } from '@/components/notify/notify-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('notifications.title') };

export default function NotificationsPage() {
  return (
    <Texts of={['notifications']}>
      <NotifyBoard />
    </Texts>
  );
}
