import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Elapsed, FormatLabel, KeyText, StateBadge, WaitingText } from '@/components/labels';
import type { Lock } from '@/lib/protocol/lock';
import type { LockSort } from '@/lib/protocol/queries';
import { AlertCodes } from '@/components/locks/alert-codes';
import { HolderText } from '@/components/locks/holder-text';
import { LeaseLeft } from '@/components/locks/lease';

export type ColumnId =
  | 'state'
  | 'key'
  | 'library'
  | 'class'
  | 'holder'
  | 'heldFor'
  | 'lease'
  | 'renewals'
  | 'waiting'
  | 'alerts'
  | 'db';

export interface LockColumn {
  id: ColumnId;
  /** Width and the widths of window below which it is left out; the key takes what remains. */
  className: string;
  align?: 'end';
  /** The orders a press on the header goes through; the first is the natural one. */
  sorts: { sort: LockSort; direction: 'ascending' | 'descending' }[];
  cell: (lock: Lock) => ReactNode;
}

const faint = (text: ReactNode): ReactNode => <span className="text-ink-3">{text}</span>;

/** The columns of the list, in order. */
export const LOCK_COLUMNS: readonly LockColumn[] = [
  {
    id: 'state',
    className: 'w-33',
    sorts: [],
    cell: (lock) => <StateBadge state={lock.state} />,
  },
  {
    id: 'key',
    className: '',
    sorts: [{ sort: 'key', direction: 'ascending' }],
    cell: (lock) => <KeyText text={lock.key} lock={lock} className="font-medium" />,
  },
  {
    id: 'library',
    className: 'w-32 max-lg:hidden',
    sorts: [],
    cell: (lock) => (
      <span className="flex text-ink-2">
        <FormatLabel format={lock.format} certain={lock.formatCertain} others={lock.otherFormats} />
      </span>
    ),
  },
  {
    id: 'class',
    className: 'w-29 max-xl:hidden',
    sorts: [{ sort: 'class', direction: 'ascending' }],
    cell: (lock) => <KeyText text={lock.class} className="text-ink-2" />,
  },
  {
    id: 'holder',
    className: 'w-40 max-lg:w-32',
    sorts: [{ sort: 'owner', direction: 'ascending' }],
    cell: (lock) => <HolderText lock={lock} />,
  },
  {
    id: 'heldFor',
    className: 'w-20',
    align: 'end',
    sorts: [
      { sort: 'since', direction: 'descending' },
      { sort: '-since', direction: 'ascending' },
    ],
    cell: (lock) => (lock.hold ? <Elapsed since={lock.hold.since} /> : faint('–')),
  },
  {
    id: 'lease',
    className: 'w-24',
    sorts: [{ sort: 'deadline', direction: 'ascending' }],
    cell: (lock) => (lock.hold ? <LeaseLeft hold={lock.hold} lock={lock} /> : faint('–')),
  },
  {
    id: 'renewals',
    className: 'w-19 max-xl:hidden',
    align: 'end',
    sorts: [{ sort: '-renewals', direction: 'descending' }],
    cell: (lock) =>
      lock.hold && lock.hold.renewals > 0 ? lock.hold.renewals : faint(lock.hold ? '0' : '–'),
  },
  {
    id: 'waiting',
    className: 'w-18',
    align: 'end',
    sorts: [{ sort: '-waiting', direction: 'descending' }],
    cell: (lock) => <WaitingText waiting={lock.waiting} short />,
  },
  {
    id: 'alerts',
    className: 'w-31 max-lg:hidden',
    sorts: [],
    cell: (lock) => <AlertCodes codes={lock.alerts} />,
  },
  {
    id: 'db',
    className: 'w-11 max-lg:hidden',
    align: 'end',
    sorts: [],
    cell: (lock) => faint(lock.db),
  },
];

export const cellClass = (column: LockColumn): string =>
  clsx(
    'px-2 first:pl-4 last:pr-4',
    column.align === 'end' ? 'text-right' : 'text-left',
    column.className,
  );
