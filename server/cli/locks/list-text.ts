import type { Lock, Owner } from '@/lib/protocol/lock';
import { table, type Column } from '@/server/cli/output';
import { shortDuration } from './duration-text';
import type { ListedLocks } from './list-locks';
import { describeOwner } from './shown-lock';

const LINE_WIDTH = 100;
const MIN_KEY_WIDTH = 20;
const HOLDER_WIDTH = 22;
const FORMAT_WIDTH = 13;

/** The locks as a table that fits 100 columns, and what a reader must know of it. */
export function listText(listed: ListedLocks, now: number): string {
  const { items, total, dbs } = listed;
  if (items.length === 0) return `No lock is held in db ${dbs.join(', ')}.${remarks(listed)}`;
  const columns = columnsOf(items, { now, showsDb: dbs.length > 1 });
  const others = columns.map(({ head, cell, maxWidth = Infinity }) =>
    Math.min(maxWidth, Math.max(head.length, ...items.map((lock) => cell(lock).length))),
  );
  const left = LINE_WIDTH - others.reduce((sum, width) => sum + width + 2, 0);
  const width = Math.max(MIN_KEY_WIDTH, left);
  const key: Column<Lock> = { head: 'key', cell: (lock) => middleCut(lock.key, width) };
  const text = table(items, [key, ...columns]);
  const count =
    total > items.length ? `\n${items.length} of ${total} locks; --limit shows more.` : '';
  return text + count + remarks(listed);
}

function remarks({ complete, scanned, waitersCounted }: ListedLocks): string {
  const said: string[] = [];
  if (!complete) {
    said.push(`Not all keys were looked at: the scan ended after ${scanned}; --max-keys goes on.`);
  }
  if (!waitersCounted) said.push('Waiters on channels are not counted: this user may not ask.');
  return said.map((sentence) => `\n${sentence}`).join('');
}

/** Both ends of a key tell it from others: what it is about, and which one. */
export function middleCut(text: string, width: number): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  const tail = Math.floor((width - 1) / 2);
  const head = width - 1 - tail;
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`;
}

function columnsOf(
  items: readonly Lock[],
  { now, showsDb }: { now: number; showsDb: boolean },
): Column<Lock>[] {
  const columns: Column<Lock>[] = [
    {
      head: 'format',
      cell: (lock) => middleCut(lock.format + (lock.formatCertain ? '' : '?'), FORMAT_WIDTH),
    },
    { head: 'holder', cell: holderText, maxWidth: HOLDER_WIDTH },
    { head: 'held', cell: (lock) => heldText(lock, now), align: 'right' },
    { head: 'left', cell: (lock) => leftText(lock, now), align: 'right' },
  ];
  if (showsDb) columns.unshift({ head: 'db', cell: ({ db }) => `${db}`, align: 'right' });
  if (items.some(({ hold }) => (hold?.depth ?? 1) > 1)) {
    columns.push({ head: 'depth', cell: ({ hold }) => `${hold?.depth ?? ''}`, align: 'right' });
  }
  columns.push({ head: 'wait', cell: waitText, align: 'right' });
  if (items.some(({ hold }) => hold?.fence != null)) {
    columns.push({ head: 'fence', cell: ({ hold }) => hold?.fence ?? '', align: 'right' });
  }
  return columns;
}

function holderText({ state, hold, members }: Lock): string {
  if (!hold) return `(${state})`;
  const more = members.length > 1 ? ` +${members.length - 1}` : '';
  const gone = hold.owner.liveness === 'not-seen' ? '(gone) ' : '';
  return middleCut(gone + whoText(hold.owner), HOLDER_WIDTH - more.length) + more;
}

/** The address and process, or the owner where its library tells neither. */
const whoText = (owner: Owner): string =>
  describeOwner(owner.ip === null ? owner : { ...owner, host: null, app: null });

const heldText = ({ hold }: Lock, now: number): string =>
  !hold || hold.sinceEvidence === 'unknown' ? '?' : shortDuration(now - hold.since);

function leftText({ hold }: Lock, now: number): string {
  if (!hold) return '';
  return hold.deadline === null ? 'no end' : shortDuration(hold.deadline - now);
}

const waitText = ({ waiting }: Lock): string => `${waiting.count ?? '?'}`;
