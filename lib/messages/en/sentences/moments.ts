import type { Template } from '@/lib/messages/sentence-template';

/** Alerts about holds that ended as they should not. */
export const moments = {
  'evicted:held': {
    plural: 'count',
    one: 'Redis dropped it for memory while {owner} held it: another may enter',
    other: 'Redis dropped {count} held locks for memory: others may enter',
  },
  'evicted:remedy':
    'Set maxmemory-policy to noeviction (CONFIG SET maxmemory-policy noeviction) on the Redis that keeps locks, or move the cache away from it. Check what the owners did since.',

  'vanished:held': {
    plural: 'count',
    one: 'gone without an event while {owner} held it: another may enter',
    other: '{count} held locks are gone without an event: others may enter',
  },
  'vanished:remedy':
    'Look for FLUSHDB, FLUSHALL, SWAPDB or a reload (INFO commandstats, SLOWLOG). The owners do not know that they lost their locks: check what they did since.',

  'lost-in-failover:overlaps': '{owner} until {deadlineAt} may overlap {next}',
  'lost-in-failover:may-overlap': '{owner} until {deadlineAt} may overlap the next owner',
  'lost-in-failover:overlaps-for-ever': '{owner}, without expiry, may overlap {next}',
  'lost-in-failover:may-overlap-for-ever': '{owner}, without expiry, may overlap the next owner',
  'lost-in-failover:several':
    'Redis came back without {count} held locks: their owners may overlap the next ones',
  'lost-in-failover:remedy':
    'The former owner does not know: stop it, or wait until its lease would have ended. Replication is asynchronous, so a lock that must survive a failover needs WAIT, or a fencing token where it is used.',

  'one-sided:only':
    'only {owner} has got these locks after Redis restarted {lastsMs} ago; {instances} instances did before',
  'one-sided:remedy':
    'The others may still wait on connections or subscriptions that died with the old server. Look at their logs, and restart those that neither take locks nor fail.',

  'overrun:late': {
    plural: 'count',
    one: '{owner} tried to release {lateMs} after its lease had ended',
    other: '{owner} tried to release {lateMs} after its lease had ended; {count} times in a row',
  },
  'overrun:late-unknown': {
    plural: 'count',
    one: '{owner} tried to release after its lease had ended',
    other: '{owner} tried to release after its lease had ended; {count} times in a row',
  },
  'overrun:remedy':
    'The work takes longer than the lease: renew the lease while working, or make it longer. What was written after the lease ended was not protected.',

  'overruns:of-lock': '({count} leases of this lock ended while it was held, in {lastsMs})',
  'overruns:of-holder':
    '({count} leases ended while {holder} held, on whatever lock, in {lastsMs})',

  'stalled-risk:active':
    'the lock of {owner} ran out {agoMs} ago, and {list} still lists its work: the worker hangs, is gone, or goes on without it, so that all can be done twice',
  'stalled-risk:unknown':
    'the lock of {owner} ran out {agoMs} ago; whether {list} still lists its work could not be told',
  'stalled-risk:many': {
    plural: 'count',
    one: '{count} more lock ran out while its work is listed as active',
    other: '{count} more locks ran out while their work is listed as active',
  },
  'stalled-risk:remedy':
    'Another worker gets the job once the queue’s check for stalled jobs has put it back, by its standard within a minute. See whether this worker is alive and its event loop is free; move work that blocks it into a process of its own, or make lockDuration longer. What the job has done so far must bear being done again.',
  'stalled-risk:allow': 'Let the user of the console read {list} (LPOS, since Redis 6.0.6).',

  'born-short:lease': {
    plural: 'count',
    one: '{owner} took it with a lease of {leaseMs} only; {usualMs} is usual for its class',
    other:
      '{owner} took it with a lease of {leaseMs} only; {usualMs} is usual for its class; {count} times in a row',
  },
  'born-short:remedy':
    'The lease had mostly run out when the lock was taken: a client counts the time that its attempts took, or another lease was meant. Let a lock that comes too late be given back and taken anew.',

  'foreign-release:suspected': {
    plural: 'count',
    one: '{owner} held it for {heldMs} only; it may have been released by {by}, whose lease had ended {overrunMs} before',
    other:
      '{owner} held it for {heldMs} only; it may have been released by {by}, whose lease had ended {overrunMs} before; {count} times in a row',
  },
  'foreign-release:remedy':
    'A suspicion: the library may delete a lock without comparing its token. See the history on the lock’s page, make the lease longer than the work, and release by comparing the token.',

  'takeover:by': {
    plural: 'count',
    one: "lock taken without release: {owner}'s hold was overwritten by {by}",
    other:
      "lock taken without release {count} times in a row, last: {owner}'s hold was overwritten by {by}",
  },
  'takeover:by-unknown': {
    plural: 'count',
    one: "lock taken without release: {owner}'s hold was overwritten by another owner",
    other:
      "lock taken without release {count} times in a row, last: {owner}'s hold was overwritten by another owner",
  },
  'takeover:remedy':
    'Both owners may be working at once: check what they wrote. Take the lock with NX, never with a plain SET, and compare the token before writing.',
} as const satisfies Record<string, Template>;
