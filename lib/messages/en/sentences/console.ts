import type { Template } from '@/lib/messages/sentence-template';

/** Alerts about the console itself: what it cannot see or write. */
export const consoleAlerts = {
  'blind:disconnected': 'not connected to Redis since {disconnectedAt}; nothing here is current',
  'blind:disconnected-remedy':
    'Check that Redis runs and that its address, password and network let the console in.',

  'judging-failed:check':
    'The check "{check}" ends in an error ({message}): its alerts may be old or missing.',
  'judging-failed:remedy':
    'This is a fault in Lockscope: please report it with this sentence. The other checks go on.',

  'store-broken:problem': 'History and audit cannot be written for {lastsMs}: {problem}',
  'store-broken:no-problem':
    'History and audit cannot be written for {lastsMs}: the database takes nothing.',
  'store-broken:lost': {
    plural: 'count',
    one: '{count} row of history had to be given up.',
    other: '{count} rows of history had to be given up.',
  },
  'store-broken:remedy':
    'Acts are refused, and history waits in memory, until the database can be written again.',
  'store-broken:outcome-not-audited':
    'The outcome "{outcome}" of {action} could not be audited: {because}',
  'store-broken:outcome-remedy': 'Repair the database; the request itself is in the audit.',
} as const satisfies Record<string, Template>;
