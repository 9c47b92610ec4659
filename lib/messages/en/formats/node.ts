const DELETED = 'The key is deleted if it still holds the same value.';
const EVERY_NODE =
  'A Redlock over several servers stays held until a majority of them is released.';
const ABORT_SIGNAL =
  'A holder inside using() is told by its abort signal at the next extension; others only when they release.';

/** Libraries of Node. */
export const nodeFormats: Record<string, Record<string, string>> = {
  redlock: {
    name: 'redlock (node)',
    'release-deletes': DELETED,
    'abort-signal': ABORT_SIGNAL,
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 200 ms or so.',
    'every-node': EVERY_NODE,
  },
  'sesamecare-redlock': {
    name: '@sesamecare-oss/redlock',
    'release-deletes': DELETED,
    'abort-signal': ABORT_SIGNAL,
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 200 ms or so.',
    'every-node': EVERY_NODE,
    'own-db':
      'Its locks are in db 0 unless its settings name another one, whatever db its connection uses.',
  },
  'redlock-universal': {
    name: 'redlock-universal',
    'release-deletes': DELETED,
    'abort-signal': ABORT_SIGNAL,
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 100 ms or so.',
    'every-node': EVERY_NODE,
  },
  locco: {
    name: '@kontsedal/locco',
    'release-deletes': DELETED,
    'release-silent':
      'The holder is not told: its extend() throws, its release() is silent unless asked to throw.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry after a pause of their own.',
  },
  'redis-semaphore-mutex': {
    name: 'redis-semaphore mutex',
    'release-deletes': DELETED,
    'lock-lost': 'The holder’s onLockLost is called at its next refresh.',
    'wakes-nobody': 'Nobody is woken: waiting clients poll every 10 ms.',
  },
  'redis-semaphore': {
    name: 'redis-semaphore',
    'release-deletes': 'All members that were shown are removed; others keep their places.',
    'lock-lost': 'Each holder’s onLockLost is called at its next refresh.',
    'whole-group': 'Whoever holds several permits loses them all when one of them is removed.',
    'wakes-nobody': 'Nobody is woken: waiting clients poll every 10 ms.',
  },
  'ioredis-lock': {
    name: '@microfleet/ioredis-lock',
    'release-deletes': DELETED,
    'release-raises': 'The holder’s extend() or release() will throw.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 50 ms, six times.',
  },
  warlock: {
    name: 'node-redis-warlock',
    'release-deletes': DELETED,
    'release-silent': 'The holder is not told: its touch() and unlock() find nothing and pass.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry after a pause of their own.',
  },
  verrou: {
    name: 'Verrou (@adonisjs/lock)',
    'release-deletes': DELETED,
    'release-raises': 'The holder’s extend() or release() will throw E_LOCK_NOT_OWNED.',
    'wakes-nobody': 'Nobody is woken: waiting clients poll every 250 ms.',
  },
  medusa: {
    name: '@medusajs/locking-redis',
    'release-deletes': DELETED,
    'abort-signal':
      'A holder inside execute() is told by its abort signal at the next renewal; others are not told.',
    'anybody-unlocks':
      'A lock without an owner (*) is released by anybody who gives none: the old holder may delete the lock of the next.',
    'wakes-nobody': 'Nobody is woken: waiting clients poll every 20 to 1000 ms.',
  },
  'chat-adapter': {
    name: '@chat-adapter/state-redis',
    'release-deletes': DELETED,
    'release-silent':
      'The holder is not told: its work goes on beside that of whoever takes the conversation next.',
    'messages-wait':
      'Messages in the queue stay there: the next one that comes for this conversation takes the lock.',
  },
  bullmq: {
    name: 'BullMQ',
    'read-only':
      'A job’s lock is not released from here: the worker would go on while the job counts as stalled. Use BullMQ’s own tools.',
    stalled: 'When its lease ends without renewal, BullMQ moves the job back to waiting.',
  },
  bull: {
    name: 'Bull',
    'read-only':
      'A job’s lock is not released from here: the worker would go on while the job counts as stalled. Use Bull’s own tools.',
    stalled: 'When its lease ends without renewal, Bull moves the job back to waiting.',
  },
};
