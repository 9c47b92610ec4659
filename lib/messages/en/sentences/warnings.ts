import type { Template } from '@/lib/messages/sentence-template';

/** Warnings about a target. Whole sentences; a remedy that is a command alone is said verbatim. */
export const warnings = {
  'warning:down': 'The connection to {address} is down; nothing shown is current.',
  'warning:down-because':
    'The connection to {address} is down ({error}); nothing shown is current.',
  'warning:down-remedy': 'Lockscope keeps reconnecting; check that Redis runs and can be reached.',
  'warning:buffer-cut':
    'Redis ended our connection for events, which came faster than they were read; some were lost, and all locks were read again.',
  'warning:perhaps-buffer-cut':
    'Perhaps Redis ended our connection for events because they came faster than they were read: a client was ended for that at about the time, and whether it was ours cannot be told. Events may be missing, and all locks were read again.',
  'warning:no-resp3':
    'The server does not speak RESP3 (HELLO 3 was refused), so no events are received; locks are read by polling.',
  'warning:no-resp3-remedy': 'Use Redis 7.0 or newer, or allow HELLO.',
  'warning:no-subscription':
    'User {user} may not subscribe to keyspace events ({error}); locks are read by polling and short holds are missed.',

  'warning:unannounced':
    'Redis does not announce {unseenWords} (notify-keyspace-events is "{flags}").',
  'warning:unannounced-missing':
    'Redis does not announce {unseenWords} (notify-keyspace-events is "{flags}", missing {missing}).',
  'warning:unannounced-unreadable':
    'Redis does not announce {unseenWords} (notify-keyspace-events cannot be read).',
  'warning:polling': 'Locks are read by polling instead.',
  'warning:provider-flags':
    "Set the parameter notify-keyspace-events to {flags} in your provider's parameter group or console (CONFIG is not allowed for user {user}).",
  'word:string-acquires': 'acquisitions of string locks',
  'word:hash-acquires': 'acquisitions of Redisson (hash) locks',
  'word:zset-acquires': 'acquisitions of semaphores (sorted sets)',
  'word:queue-changes': 'changes of fair queues',
  'word:releases': 'releases and renewals',
  'word:lapses': 'lapsed leases',
  'word:evictions': 'evictions',

  'warning:old-redis':
    'Version {version} does not announce new keys (class n) and has no EVAL_RO; an acquire and a renewal are told apart by value only.',
  'warning:old-redis-remedy': 'Upgrade to Redis 7.0 or newer.',
  'warning:eviction-risk':
    'maxmemory-policy is {policy}: under memory pressure Redis may evict locks that are held.',
  'warning:eviction-risk-remedy':
    'CONFIG SET maxmemory-policy noeviction (or move the locks to a Redis of their own)',
  'warning:replica':
    '{address} follows a primary: a lapsed lease looks like a release there, and locks cannot be released.',
  'warning:replica-remedy': 'Point LOCKSCOPE_REDIS_URL at the primary.',
  'blind-after-failover:replica':
    'The replica {address} has notify-keyspace-events "{flags}": as primary it would not announce {unseenWords}.',
  'write-refused:snapshot':
    'The last background save failed: locks can be neither taken, nor renewed, nor released ({error}).',
  'write-refused:snapshot-remedy':
    'Check disk space and the Redis log, then run BGSAVE. CONFIG SET stop-writes-on-bgsave-error no lets Redis write on without the save.',
  'write-refused:append-log':
    'The append-only file cannot be written: locks can be neither taken, nor renewed, nor released ({error}).',
  'write-refused:append-log-remedy':
    'Check disk space and the Redis log; Redis writes again once the file can be written.',
  'write-refused:memory':
    'The memory is full and nothing that would make room is evicted: no lock can be taken ({error}).',
  'write-refused:memory-remedy':
    'Give it more memory (CONFIG SET maxmemory <bytes>), or move what is no lock to another Redis. Eviction is no remedy: it would throw locks away.',
  'write-refused:replicas':
    'Too few replicas follow the primary: locks can be neither taken, nor renewed, nor released ({error}).',
  'write-refused:replicas-remedy':
    'Bring the replicas back (INFO replication tells which follow), or ask for fewer: CONFIG SET min-replicas-to-write <n>.',
  'write-refused:perhaps':
    'The last background save failed: locks can perhaps be neither taken, nor renewed, nor released. The console may not try, so this is not certain.',
  'warning:insecure':
    '{address} answers without a password: anybody who reaches it can take and delete locks.',
  'warning:insecure-remedy':
    'ACL SETUSER default resetpass (with users of their own), or CONFIG SET requirepass <password>',
  'warning:unwatched': {
    plural: 'count',
    one: 'db {dbs} has keys and is not watched',
    other: 'db {dbs} have keys and are not watched',
  },
  'warning:unwatched-locks': '(locks by their names: {locks})',

  'failing:keep-alive': 'Lockscope could not keep the event connection alive: {error}.',
  'failing:notice-hold-ups': 'Lockscope could not notice hold-ups: {error}.',
  'failing:re-read-held': 'Lockscope could not re-read the held locks: {error}.',
  'failing:count-keys': 'Lockscope could not count the keys: {error}.',
  'failing:count-waiters': 'Lockscope could not count the waiters: {error}.',
  'failing:list-channels': 'Lockscope could not list who listens for locks: {error}.',
  'failing:list-clients': 'Lockscope could not list the clients: {error}.',
  'failing:read-refusals': 'Lockscope could not read what was refused: {error}.',
  'failing:look-for-jobs': 'Lockscope could not look for jobs whose lock ended: {error}.',
  'failing:count-indexes': 'Lockscope could not count the lists of locks: {error}.',
  'failing:measure-probes': 'Lockscope could not measure what its questions cost: {error}.',
  'failing:ask-replicas': 'Lockscope could not ask the replicas: {error}.',
  'failing:look-into-other-dbs': 'Lockscope could not look into the other dbs: {error}.',
  'failing:look-from-outside':
    'Lockscope could not look at the event connection from outside: {error}.',
  'failing:read-info': 'Lockscope could not read INFO: {error}.',
  'failing:check-sight': 'Lockscope could not check what can be seen: {error}.',
  'failing:sweep': 'Lockscope could not sweep: {error}.',
  'failing:scan-keys': 'Lockscope could not scan the keys: {error}.',
  'failing:read-reports': 'Lockscope could not read the reports of the lock client: {error}.',
  'failing:read-instances':
    'Lockscope could not read who the instances of the lock client are: {error}.',
  'warning:failing-remedy': 'Check the rights of user {user} and the health of {address}.',
} as const satisfies Record<string, Template>;
