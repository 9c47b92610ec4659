import type { Template } from '@/lib/messages/sentence-template';

/** Alerts about one hold, or about locks that wait. Begin in lower case: a code's name stands before. */
export const holds = {
  'owner:unknown': 'an unknown owner',

  'long-hold:held': 'held {heldMs} by {owner}',
  'long-hold:held-renewed': 'held {heldMs} by {owner}, renewed {renewals}×',
  'long-hold:held-at-least': 'held at least {heldMs} by {owner}',
  'long-hold:held-at-least-renewed': 'held at least {heldMs} by {owner}, renewed {renewals}×',
  'long-hold:last-renewed': '(the last time {agoMs} ago)',
  'long-hold:unusual': '(of its class 99 of 100 end within {p99Ms})',
  'long-hold:many': {
    plural: 'count',
    one: '{count} more lock is held longer than the threshold',
    other: '{count} more locks are held longer than the threshold',
  },
  'long-hold:stays-renewed': 'It does not free itself while it is renewed.',
  'long-hold:stays': 'It has no expiry and will not free itself.',
  'long-hold:ends': 'Unless renewed it frees itself at {deadlineAt}.',
  'long-hold:look':
    'Look at what the owner does; if it is stuck, stop it or release the lock on its page.',
  'long-hold:look-only':
    'Look at what the owner does; if it is stuck, stop it or use the tools of its library.',

  'no-expiry:held': 'held by {owner}, without a time to live for {lastsMs}',
  'no-expiry:cut-off':
    'held by {owner}, without a time to live for {lastsMs}; {library} always sets one, so this acquire was cut off half-way',
  'no-expiry:by-default':
    'held by {owner}, without a time to live for {lastsMs}; {library} sets none by default',
  'no-expiry:many': {
    plural: 'count',
    one: '{count} more lock is held without a time to live',
    other: '{count} more locks are held without a time to live',
  },
  'no-expiry:remedy':
    'If the owner has gone, release the lock on its page: it never frees itself. Let the acquire set the time to live in the same command (SET … NX PX).',

  'renewal-missed:late':
    '{owner} renewed every {intervalMs}, the last time {silenceMs} ago; the lease ends at {deadlineAt}',
  'renewal-missed:many': {
    plural: 'count',
    one: '{count} more lock was not renewed in time',
    other: '{count} more locks were not renewed in time',
  },
  'renewal-missed:remedy':
    'Check the owner: a paused process, a blocked event loop or a lost connection. If its work goes on after the lease ends, another may enter.',

  'came-back:again': '{owner} has the lock again, {afterMs} after it was released by force',
  'came-back:remedy':
    'Its renewal re-creates the key: stop or restart the holder, then release again.',

  'flapping:lost':
    '{owner} lost it to its lease of {leaseMs} and took it back, {count} times within {lastsMs}',
  'flapping:remedy':
    'Its lease is not renewed in time: look for a renewal that was never started, a paused process or a lease shorter than the work. Each time another may enter in between.',

  'zombie:made-anew': '{owner} had released it, and a timer of its own made the key anew',
  'zombie:owner-gone':
    'renewed {renewals}× although no connection of {owner} has been seen for a minute',
  'zombie:many': {
    plural: 'count',
    one: '{count} more lock is renewed for a holder that is gone',
    other: '{count} more locks are renewed for holders that are gone',
  },
  'zombie:remedy':
    'A renewal timer was not stopped. Restart the process that runs it, then release the lock on its page.',

  'slow-handoff:sleeps': {
    plural: 'count',
    one: 'lay free for {gapMs} while clients waited, about as long as its lease ({leaseMs}): a release wakes nobody',
    other:
      'lay free for {gapMs} while clients waited, {count} times in a row, about as long as its lease ({leaseMs}): a release wakes nobody',
  },
  'slow-handoff:remedy':
    'Waiters sleep until the lease would have ended. Check that releases publish the wake-up (a plain DEL does not) and that clients may subscribe to its channel.',

  'lease-too-short:outlived':
    '{count} of the last {holds} holds outlasted the {leaseMs} that they were taken for, and nobody renewed them',
  'lease-too-short:released': '(99 of 100 that were released took {p99Ms} at most)',
  'lease-too-short:remedy':
    'The work takes longer than its lease, or its process dies: another enters meanwhile. Renew the lease while working, or make it longer than the longest hold.',

  'empty-key:missing': 'the name looks incomplete: the part after its last separator is missing',
  'empty-key:placeholder': 'the name looks incomplete: its last part is "{placeholder}"',
  'empty-key:remedy':
    'Every caller with this fault shares the lock "{key}". Check the value before it is put into the key.',
} as const satisfies Record<string, Template>;
