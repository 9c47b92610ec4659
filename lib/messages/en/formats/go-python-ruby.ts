const DELETED = 'The key is deleted if it still holds the same value.';
const EVERY_NODE =
  'A Redlock over several servers stays held until a majority of them is released.';
const QUEUED_TWICE = 'The job itself goes on; the same may be queued or run again beside it.';
const UNCHECKED_DONE =
  'When the old job is done it deletes the key without looking, whoever holds it by then.';
const NO_DUPLICATES = 'Nobody waits: a duplicate was refused at once.';

/** Libraries of Go, Python and Ruby. */
export const goPythonRubyFormats: Record<string, Record<string, string>> = {
  redsync: {
    name: 'redsync',
    'release-deletes': DELETED,
    'unlock-fails': 'The holder’s next Extend, and its Unlock, will fail.',
    'set-nx-on-extend':
      'A holder made with WithSetNXOnExtend takes a free lock again at its next Extend.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 50 to 250 ms.',
    'every-node': EVERY_NODE,
  },
  'bsm-redislock': {
    name: 'bsm/redislock',
    'release-deletes': DELETED,
    'not-held': 'The holder’s Refresh and Release will return an error.',
    'several-keys':
      'A lock over several keys has this value in each. Release them all: once one is gone, the holder’s own Release deletes none.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry at intervals of their own.',
  },
  'go-zero': {
    name: 'go-zero',
    'release-deletes': DELETED,
    'release-false': 'The holder’s Release will return false.',
    'never-waits': 'Nobody waits: a client that failed was told at once.',
  },
  asynq: {
    name: 'asynq',
    'release-deletes': DELETED,
    'queued-twice':
      'The task itself stays queued or goes on; the same may be queued again beside it.',
    'checked-done': 'When the task is done it deletes the key only if it is still its own.',
    'never-waits': NO_DUPLICATES,
  },
  'python-redis-lock': {
    name: 'python-redis-lock',
    'release-deletes': 'The key is deleted as reset() does, if it still holds the same value.',
    'wakes-one': 'A signal is pushed to the lock’s list, which wakes one waiting client.',
    'lapse-wakes-nobody':
      'A lock that lapses pushes no signal: clients that wait without a timeout stay blocked until somebody does.',
    'release-raises': 'The holder’s release() will raise NotAcquired.',
  },
  pottery: {
    name: 'pottery',
    'release-deletes': DELETED,
    'release-raises':
      'The holder’s extend() and release() will raise ExtendUnlockedLock and ReleaseUnlockedLock.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry within 200 ms.',
    'every-node': EVERY_NODE,
  },
  aioredlock: {
    name: 'aioredlock',
    'release-deletes': DELETED,
    'made-anew':
      'The holder’s watchdog makes the key anew at its next extension, unless somebody took the lock before.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 100 to 300 ms, three times.',
    'every-node': EVERY_NODE,
  },
  'celery-once': {
    name: 'celery-once',
    'release-deletes': DELETED,
    'queued-twice': QUEUED_TWICE,
    'unchecked-unlock': UNCHECKED_DONE,
    'never-waits': NO_DUPLICATES,
  },
  'celery-singleton': {
    name: 'celery-singleton',
    'release-deletes': DELETED,
    'lost-worker':
      'A lost worker leaves its lock for ever. The value is the task’s id: the result backend knows whether it is done.',
    'queued-twice': QUEUED_TWICE,
    'unchecked-unlock': UNCHECKED_DONE,
    'never-waits': 'Nobody waits: a duplicate was given the task that is there.',
  },
  redbeat: {
    name: 'RedBeat',
    'release-deletes': DELETED,
    'next-beat': 'Two beats may schedule at once, until the old one notices at its next extension.',
    'extension-raises': 'The old beat’s next extension will raise LockNotOwnedError.',
    'wakes-nobody':
      'Nobody is woken: a waiting beat retries once per maximum interval, which is five minutes by default.',
  },
  'rq-scheduler': {
    name: 'RQ scheduler',
    'release-deletes': DELETED,
    'unchecked-unlock':
      'Before RQ 3 the old scheduler goes on extending, and in the end deletes, whatever lock is there.',
    'taken-again': 'From RQ 3 on it takes a free lock again at its next heartbeat.',
    'wakes-nobody': 'Nobody is woken: another scheduler tries again every few minutes.',
  },
  arq: {
    name: 'arq',
    'release-deletes': DELETED,
    'runs-twice': 'The job goes on, and another worker may start it a second time at once.',
    'unchecked-unlock': UNCHECKED_DONE,
    'never-waits': 'Nobody waits: other workers pass the job over until the key is gone.',
  },
  huey: {
    name: 'huey',
    'release-deletes': DELETED,
    'unchecked-unlock': UNCHECKED_DONE,
    'never-waits': 'Nobody waits: a task that found it locked raised TaskLockedException.',
  },
  'redlock-rb': {
    name: 'redlock-rb',
    'release-deletes': DELETED,
    'unlock-silent': 'The holder’s unlock finds nothing of its own and says nothing.',
    'made-anew':
      'A holder that extends without extend_only_if_locked makes the key anew, unless somebody took the lock before.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 200 to 250 ms, three times.',
    'every-node': EVERY_NODE,
  },
  'sidekiq-unique-jobs': {
    name: 'sidekiq-unique-jobs',
    'release-deletes':
      'All keys of the digest go, and its entries in both indexes, if it is held as shown.',
    'all-holders': 'Where several jobs may hold it, all lose it.',
    'wakes-one': 'An entry is left in its queue, which wakes one waiting job.',
    'job-goes-on': 'A running job is not told and goes on.',
    'queued-twice': 'The same job may be queued or run again beside it.',
  },
  suo: {
    name: 'suo',
    'release-deletes': DELETED,
    'all-holders': 'Where several may hold it, all lose it.',
    'refresh-returns': 'An old holder that calls refresh writes itself in again.',
    'wakes-nobody': 'Nobody is woken: waiting clients poll every 10 ms or so.',
  },
  'resque-lock': {
    name: 'resque-lock',
    'release-deletes': DELETED,
    'deadline-in-value':
      'A number is the second from which others may take the lock over. The key stays all the same, and true stays for ever.',
    'unchecked-unlock': UNCHECKED_DONE,
    'never-waits': NO_DUPLICATES,
  },
};
