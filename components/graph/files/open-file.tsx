'use client';

import { FolderOpen } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import type { DeadlockFile } from '@/lib/protocol/deadlock-file';

/** Opens a saved deadlock: chosen, or dropped anywhere on the page. */
export function OpenFile({ onOpen }: { onOpen: (file: DeadlockFile) => void }) {
  const t = useTranslations('deadlocks');
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const open = async (file: File): Promise<void> => {
    setRefused(null);
    // Only who opens a file needs the schemas.
    const { MOST_FILE_BYTES, readDeadlockFile } = await import('@/lib/protocol/deadlock-file');
    const read = file.size > MOST_FILE_BYTES ? null : readDeadlockFile(await file.text());
    if (read) onOpen(read);
    else setRefused(file.name);
  };
  const choose = (files: FileList | null): void => {
    const [file] = files ?? [];
    if (file) void open(file);
  };
  const onDrop = useEffectEvent(choose);
  useEffect(() => {
    const allow = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      onDrop(event.dataTransfer.files);
    };
    window.addEventListener('dragover', allow);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', allow);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return (
    <>
      {refused !== null && (
        <span role="alert" className="text-xs text-critical">
          {t('notOurs', { name: refused.slice(0, 100) })}
        </span>
      )}
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={(event) => {
          choose(event.target.files);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
      <Button
        icon={<FolderOpen size={14} aria-hidden />}
        title={t('openFileTitle')}
        onClick={() => input.current?.click()}
      >
        {t('openFile')}
      </Button>
    </>
  );
}
