'use client';

import { CircleHelp } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { HeatColours } from '@/components/heatmap/heat-palette';
import { IconButton } from '@/components/ui/icon-button';

// Seldom opened: loaded when it is.
const HeatGuide = dynamic(() => import('./heat-guide').then((module) => module.HeatGuide), {
  ssr: false,
});

/** Opens what tells how to read the map. */
export function HeatHelp({ colours }: { colours: HeatColours }) {
  const t = useTranslations('heatmap.help');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label={t('open')}
        icon={<CircleHelp size={15} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <HeatGuide colours={colours} onClose={() => setIsOpen(false)} />}
    </>
  );
}
