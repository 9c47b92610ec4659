'use client';

import { useMessages, useTranslations } from 'use-intl';
import { Elapsed, FormatLabel, KeyText, useFormatName, WaitingText } from '@/components/labels';
import { LeaseLeft } from '@/components/locks/lease';
import { KeyValue } from '@/components/ui/key-value';
import { releaseNote } from '@/lib/messages/format-text';
import type { LockDetail } from '@/lib/protocol/lock';
import { Losers } from './losers';

/** What is about to be released, and what its library makes of that. */
export function ReleaseFacts({ lock }: { lock: LockDetail }) {
  const t = useTranslations('release');
  const { hold } = lock;
  const items = [
    { label: t('key'), value: <KeyText text={lock.key} className="font-medium" /> },
    { label: t('holder'), value: <Losers lock={lock} /> },
    { label: t('heldFor'), value: hold ? <Elapsed since={hold.since} /> : '–' },
    {
      label: t('lease'),
      value: hold ? <LeaseLeft hold={hold} lock={lock} className="max-w-40" /> : '–',
    },
    { label: t('waiting'), value: <WaitingText waiting={lock.waiting} /> },
    {
      label: t('library'),
      value: (
        <div>
          <p className="font-medium">
            <FormatLabel format={lock.format} certain={lock.formatCertain} />
          </p>
          {lock.otherFormats && <Doubt others={lock.otherFormats} />}
          <ReleaseNotes format={lock.format} notes={lock.library.releaseNotes} />
        </div>
      ),
    },
  ];
  return <KeyValue items={items} />;
}

/** The lock may be of another library, whose waiters are woken otherwise. */
function Doubt({ others }: { others: string[] }) {
  const t = useTranslations('release');
  const nameOf = useFormatName();
  return <p className="text-warning">{t('doubt', { others: others.map(nameOf).join(', ') })}</p>;
}

/** What a release does by this library's rules, who is woken and who comes back; nothing where nothing is known. */
export function ReleaseNotes({ format, notes, title }: NotesProps) {
  const formats = useMessages().formats;
  const sentences = notes.flatMap((note) => releaseNote(formats, format, note) ?? []);
  if (sentences.length === 0) return null;
  return (
    <div className="text-sm">
      {title && <h3 className="text-xs font-medium text-ink-3">{title}</h3>}
      <ul className="mt-0.5 flex list-disc flex-col gap-0.5 pl-4 text-ink-2 marker:text-ink-3">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

interface NotesProps {
  format: string;
  notes: string[];
  title?: string;
}
