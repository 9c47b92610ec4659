import type { Discovery, Proposal } from '@/lib/protocol/libraries';
import { table, type Column } from '@/server/cli/output';
import { middleCut } from './list-text';

const PATTERN_WIDTH = 40;
const LIBRARY_WIDTH = 30;

const COLUMNS: readonly Column<Proposal>[] = [
  { head: 'pattern', cell: ({ pattern }) => middleCut(pattern, PATTERN_WIDTH) },
  { head: 'sure', cell: ({ sure }) => sure },
  { head: 'keys', cell: ({ keys }) => `${keys}`, align: 'right' },
  { head: 'wait', cell: ({ contended }) => `${contended}`, align: 'right' },
  {
    head: 'library',
    cell: ({ formats }) => formats.map(({ id }) => id).join(', '),
    maxWidth: LIBRARY_WIDTH,
  },
];

const REMARKS = {
  'all-seen': 'Every key was seen.',
  'key-budget': 'The scan ended at its budget of keys; --max-keys goes on.',
  'time-budget': 'The scan ended at its budget of time; --seconds goes on.',
  stopped: 'The scan was interrupted.',
  failed: 'The scan failed.',
} as const;

/** What looks like locks as a table, and how much was looked at. */
export function discoveryText({ proposals, scanned, watched, ended, dbs }: Discovery): string {
  const found =
    proposals.length === 0
      ? `Nothing that is not watched looks like a lock in db ${dbs.join(', ')}.`
      : table(proposals, COLUMNS);
  const keys = scanned === 1 ? '1 key' : `${scanned} keys`;
  const seen = `${keys} seen, ${watched} of them watched already.`;
  return `${found}\n${seen} ${ended ? REMARKS[ended] : ''}`.trimEnd();
}
