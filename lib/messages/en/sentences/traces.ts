import type { Template } from '@/lib/messages/sentence-template';

/** What traces found, and why one is not begun or ended. */
export const traces = {
  'retry-storm:sampled': {
    plural: 'clients',
    one: '{failed} failed attempts from {clients} client, up to {perSecond} in one second;',
    other: '{failed} failed attempts from {clients} clients, up to {perSecond} in one second;',
  },
  'retry-storm:sampled-remedy':
    'Each attempt costs Redis a round trip that nobody gains by. Wait longer between attempts and not the same for all (backoff with jitter), or use a lock whose waiters are woken. The trace names the clients.',
  'hot-client:sampled': {
    plural: 'keys',
    one: '{client} failed {failed} times to take {keys} lock, up to {perSecond} times in one second;',
    other:
      '{client} failed {failed} times to take {keys} locks, up to {perSecond} times in one second;',
  },
  'hot-client:remedy':
    'Look for a retry loop without a pause in that client. The trace names its locks.',
  'sampled:span': 'sampled from {fromAt} to {toAt}.',

  'trace:running':
    'A trace of {target} runs already ({id}, started by {actor}); it ends at {endsAt}.',
  'trace:starting': 'A trace of {target} is being started already.',
  'trace:no-monitor':
    "The console's Redis user may not use MONITOR ({error}). Grant it: {rule}. A provider may have taken the command away.",
  'trace:unknown':
    'There is no trace {id}. Traces are kept in memory, the last {most} of them, and are gone when the console restarts.',
  'trace:over': 'The trace {id} has ended already.',
  'forbidden:traces':
    'Only an administrator may see traces: they tell of all clients of the Redis.',
} as const satisfies Record<string, Template>;
