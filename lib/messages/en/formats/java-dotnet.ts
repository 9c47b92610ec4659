const DELETED = 'The key is deleted if it still holds the same value.';
const WATCHDOG_STOPS =
  'The holder’s watchdog stops silently; its unlock() will throw IllegalMonitorStateException.';
const LOST_TOKEN =
  'The holder’s HandleLostToken is cancelled at its next extension; its work goes on if nobody heeds it.';
const SEVERAL_MS = 'Nobody is woken: waiting clients poll at random, every 10 to 800 ms.';
const EVERY_PERMIT = 'All permits that were shown are given back; others stay taken.';

/** Libraries of Java and .NET, beyond the plain locks of Redisson. */
export const javaDotnetFormats: Record<string, Record<string, string>> = {
  'redisson-read-write': {
    name: 'Redisson read-write lock',
    'release-deletes': 'The key is deleted: the writer, or every reader, loses it.',
    'wakes-waiters':
      'A message on the lock’s channel wakes one thread of every waiting instance; after a writer, all of them.',
    'watchdog-stops': WATCHDOG_STOPS,
    'one-reader': 'A single dead reader can be removed instead; the others go on reading.',
  },
  'redisson-semaphore': {
    name: 'Redisson semaphore',
    'adds-permit': 'One permit is added to those that are free; nothing is taken from anybody.',
    'wakes-waiters': 'A message on the semaphore’s channel wakes waiting threads.',
    'nobody-named':
      'Whose permit it was, nobody can say. If its holder gives it back after all, there is one permit too many.',
  },
  'redisson-permits': {
    name: 'Redisson expirable semaphore',
    'permits-returned': EVERY_PERMIT,
    'wakes-waiters': 'A message on the semaphore’s channel wakes waiting threads.',
    'unlock-fails': 'When a holder gives its permit back, that will fail. Its work goes on.',
    'no-lease': 'A permit without a deadline never comes back by itself when its holder dies.',
  },
  'redisson-latch': {
    name: 'Redisson latch',
    'latch-opens': 'The key is deleted: the latch is open, however often it was still to count.',
    'wakes-all': 'A message on the latch’s channel wakes all who wait for it.',
    'nobody-named': 'Who was to count it down, nobody can say; their later counts change nothing.',
  },
  'redisson-multi-lock': {
    name: 'Redisson multi-lock',
    'release-deletes': 'The key is deleted: every value of the group is free.',
    'wakes-waiters': 'A message on the group’s channel wakes one thread of every waiting instance.',
    'watchdog-stops': WATCHDOG_STOPS,
  },
  'spring-registry': {
    name: 'Spring Integration',
    'release-deletes': DELETED,
    'wakes-waiters':
      'The registry’s unlock message is sent: it wakes waiters of a PUB_SUB_LOCK registry. Others poll every 100 ms.',
    'unlock-raises': 'The holder’s unlock() will throw ConcurrentModificationException.',
    'per-process':
      'The value names a registry, not a thread: which thread of the process holds it cannot be seen.',
  },
  lock4j: {
    name: 'lock4j',
    'release-deletes': DELETED,
    'wakes-nobody': 'Nobody is woken: waiting clients poll every 100 ms, for 3 s by default.',
    'renewal-fails': 'The holder’s renewal finds nothing and stops. Its work goes on.',
  },
  'redlock-net': {
    name: 'RedLock.net',
    'release-deletes': DELETED,
    revives:
      'A living holder sets the key again at its next keep-alive, at half its lease, unless somebody else has taken the lock by then.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry at intervals of their own.',
    'every-node': 'A Redlock over several servers stays held until a majority of them is released.',
  },
  stackexchange: {
    name: 'StackExchange.Redis',
    'release-deletes': DELETED,
    'wakes-nobody': 'Nobody is woken: LockTake does not wait.',
    'extend-fails': 'The holder’s next LockExtend, and its LockRelease, return false.',
  },
  hangfire: {
    name: 'Hangfire',
    'release-deletes': DELETED,
    'wakes-nobody': 'Nobody is woken: waiting processes retry.',
    'job-fails': 'If the holder is alive its next extension fails, and its job is set to Failed.',
  },
  medallion: {
    name: 'DistributedLock (Medallion)',
    'release-deletes': DELETED,
    'lost-token': LOST_TOKEN,
    'wakes-nobody': SEVERAL_MS,
  },
  'medallion-readers': {
    name: 'DistributedLock readers (Medallion)',
    'members-removed': 'All readers that were shown are removed; others go on reading.',
    'waiting-writer': 'A writer that waits goes in as soon as no reader is left.',
    'lost-token': LOST_TOKEN,
    'wakes-nobody': SEVERAL_MS,
  },
  'medallion-writer': {
    name: 'DistributedLock writer (Medallion)',
    'release-deletes': DELETED,
    'waiting-writer':
      'Where a writer only waits, it loses its place before new readers and must ask again.',
    'lost-token': LOST_TOKEN,
    'wakes-nobody': SEVERAL_MS,
  },
  'medallion-semaphore': {
    name: 'DistributedLock semaphore (Medallion)',
    'members-removed': EVERY_PERMIT,
    'lost-token': LOST_TOKEN,
    'wakes-nobody': SEVERAL_MS,
  },
};
