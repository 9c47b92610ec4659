'use client';

import { clsx } from 'clsx';
import { memo } from 'react';
import { KeyText, lockHref, StateBadge, Elapsed, WaitingText } from '@/components/labels';
import { Skeleton } from '@/components/ui/skeleton';
import type { Lock } from '@/lib/protocol/lock';
import { AlertCodes } from '@/components/locks/alert-codes';
import { HolderText } from '@/components/locks/holder-text';
import { LeaseLeft } from '@/components/locks/lease';
import { cellClass, LOCK_COLUMNS } from './columns';

export const ROW_PX = 36;
export const CARD_PX = 98;

interface RowProps {
  /** Absent while its page is on the way. */
  lock: Lock | undefined;
  index: number;
  active: boolean;
}

/** One row of the table. `data-row` is how the keyboard finds it, `data-href` how a click on it does. */
export const LockRow = memo(function LockRow({ lock, index, active }: RowProps) {
  return (
    <tr
      data-row={index}
      data-href={lock && lockHref(lock)}
      aria-rowindex={index + 2}
      style={{ height: ROW_PX }}
      className={clsx(
        'border-b border-line',
        active ? 'bg-accent-soft' : lock && 'cursor-pointer hover:bg-sunken',
      )}
    >
      {LOCK_COLUMNS.map((column) => (
        <td
          key={column.id}
          className={clsx(cellClass(column), 'h-9 overflow-hidden whitespace-nowrap')}
        >
          {lock ? column.cell(lock) : <Skeleton className="h-3 w-3/4" />}
        </td>
      ))}
    </tr>
  );
});

/** The same lock on a phone. */
export const LockCard = memo(function LockCard({ lock, index, active }: RowProps) {
  return (
    <li
      data-row={index}
      data-href={lock && lockHref(lock)}
      style={{ height: CARD_PX }}
      className={clsx(
        'overflow-hidden border-b border-line px-3 py-2.5',
        active && 'bg-accent-soft',
      )}
    >
      {lock ? <CardBody lock={lock} /> : <Skeleton className="h-4 w-3/4" />}
    </li>
  );
});

function CardBody({ lock }: { lock: Lock }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <StateBadge state={lock.state} />
        <AlertCodes codes={lock.alerts} />
        <span className="ml-auto text-ink-2">
          <WaitingText waiting={lock.waiting} />
        </span>
      </div>
      <KeyText text={lock.key} lock={lock} className="text-base font-medium" />
      <div className="flex min-w-0 items-start gap-3 text-xs text-ink-2">
        <span className="min-w-0 flex-1">
          <HolderText lock={lock} />
        </span>
        {lock.hold && <Elapsed since={lock.hold.since} />}
        {lock.hold && <LeaseLeft hold={lock.hold} lock={lock} className="w-20" />}
      </div>
    </div>
  );
}
