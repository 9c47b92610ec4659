'use client';

import { FileJson, ImageDown } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useLiveContext } from '@/components/live/live-context';
import { download } from '@/components/ui/download';
import { IconButton } from '@/components/ui/icon-button';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { DeadlockFile } from '@/lib/protocol/deadlock-file';
import { svgText } from './svg-text';

/** The time of a file, to the second. */
const CLOCK_MS = 1000;

interface Props {
  deadlock: Deadlock;
  /** Null where nothing is drawn. */
  picture: RefObject<SVGSVGElement | null>;
  title: string;
}

/** Takes the deadlock along: as a picture, and as a file that any console opens again. */
export function ExportButtons({ deadlock, picture, title }: Props) {
  const t = useTranslations('deadlocks');
  const { clock } = useLiveContext();
  const name = `lockscope-deadlock-${new Date(deadlock.since).toISOString().slice(0, 19).replaceAll(':', '-')}`;
  const saveSvg = () => {
    if (!picture.current) return;
    const text = deadlock.cycle
      .map(({ owner, waitsFor, heldBy }) => t('edge', { owner, key: waitsFor.key, holder: heldBy }))
      .join(' ');
    const svg = svgText(picture.current, { title, text });
    download(`${name}.svg`, new Blob([svg], { type: 'image/svg+xml' }));
  };
  const saveJson = () => {
    const file: DeadlockFile = {
      kind: 'lockscope-deadlock',
      version: 1,
      exportedAt: Math.round(clock.read(CLOCK_MS)),
      deadlock,
    };
    download(
      `${name}.json`,
      new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }),
    );
  };
  return (
    <span className="flex items-center gap-0.5">
      <IconButton
        label={t('saveSvg')}
        icon={<ImageDown size={14} aria-hidden />}
        onClick={saveSvg}
      />
      <IconButton
        label={t('saveJson')}
        icon={<FileJson size={14} aria-hidden />}
        onClick={saveJson}
      />
    </span>
  );
}
