import type { Metadata } from 'next';
import { SettingsBoard } from '@/components/settings/settings-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('settings.title') };

export default function SettingsPage() {
  return (
    <Texts of={['settings']}>
      <SettingsBoard />
    </Texts>
  );
}
