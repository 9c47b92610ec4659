import type { Template } from '@/lib/messages/sentence-template';

/** What is checked of the configuration, and what keeps a lease from being published. */
export const adviceSentences = {
  'publish:unreadable':
    "The console's Redis user may not read what is published for lock clients. Grant it: {rule}",
  'publish:unreachable': 'Redis cannot be reached, so it is not known what is published.',
  'publish:unread': 'What is published could not be read: {error}.',
  'publish:no-right':
    "The console's Redis user may not write the leases for lock clients. Grant it: {rule}",
  'publish:not-confirmed':
    'Redis did not confirm that it wrote the leases ({error}). Look at the page before trying again.',
  'publish:unknown-class': 'Nothing is recommended for {class} that its clients would read.',
  'publish:moved':
    'Not published: for {class} {nowMs} is recommended now, and {shownMs} was shown. Look at the page again.',
  'publish:nothing':
    'Nothing to publish: no class with enough holds has a lock client that reads leases.',

  'config:no-config':
    'The console may not ask Redis for its configuration. Grant it: {rule}, or ask as somebody who may.',
  'config:no-info': 'The console may not ask Redis about itself. Grant it: {rule}',
  'config:not-connected': 'The console is not connected to Redis.',

  'one-db:ok': 'Locks of each class are in one database, and no other has keys.',
  'one-db:several':
    'Locks of {class} are taken in the databases {dbs}: instances with different db numbers in their Redis URL each lock for themselves, and exclude nobody.',
  'one-db:unwatched':
    'Other databases have keys and are not watched ({dbs}): an instance that locks there would not be seen. Watch them to find out.',
  'one-db:unknown':
    'Which databases have keys is not known without INFO; of those watched each class is in one.',

  'empty-keys:ok': 'No lock has a name that an empty variable left behind.',
  'empty-keys:found': {
    plural: 'count',
    one: 'The lock {key} looks as if the variable in its name had been empty: all events without it compete for this one lock.',
    other:
      '{count} locks, like {key}, look as if the variable in their name had been empty: all events without it compete for the same lock.',
  },
  'empty-keys:constant':
    'The template {template} has no variable: every event takes the same lock. Intended only if there is just one thing to guard.',

  'retry-delay:ok':
    'A failed task is tried again after {delayMs}, at least 1.5 times the lock timeout of {timeoutMs}.',
  'retry-delay:short':
    'A failed task is tried again after {delayMs}, sooner than 1.5 times the lock timeout of {timeoutMs}: the next attempt meets the lock of the one before.',
  'retry-delay:unknown':
    '{file} does not say after what time a failed task is tried again; with a lock timeout of {timeoutMs} it should be {leastMs} or more.',

  'eviction:ok': 'Redis evicts nothing: a full memory refuses writes, and takes no lock away.',
  'eviction:unlimited':
    'Redis has no memory limit and evicts nothing now. With a limit, the policy {policy} would take locks away.',
  'eviction:risk':
    'When its memory is full Redis takes keys away by {policy}, locks among them, while their holders work on.',
  'eviction:volatile':
    'When its memory is full Redis takes keys with a time to live away by {policy}: every lock that expires is one of these.',

  'notifications:ok': 'Redis tells of every acquisition, release, lapse and eviction.',
  'notifications:blind':
    'Redis does not tell of {unseenWords}: the console learns of it by reading only, late or never.',
  'notifications:unproven': 'The console has not proven yet what Redis tells it.',

  'replica-notifications:none': 'There is no replica that could take over.',
  'replica-notifications:ok':
    'Each replica is set to tell of its keys: after a failover the console sees on.',
  'replica-notifications:wrong':
    'The replica {address} is set to tell of {flags}, less than the primary: once it takes over, the console is blind to the rest.',
  'replica-notifications:unknown':
    'The replica {address} could not be asked what it tells of once it takes over. Ask it yourself.',

  'persistence:always':
    'Every lock is on disk before it is granted: none is lost or comes back with a restart.',
  'persistence:everysec':
    'The log is written once a second: a crash forgets up to 2 s of locks granted, and brings back those released in that time.',
  'persistence:os':
    'The log is written when the system likes to, often after 30 s: a crash forgets locks granted since, and brings back those released.',
  'persistence:snapshots':
    'Only snapshots are kept: after a crash locks of up to {ageMs} ago come back although they were released, and those granted since are gone while their holders work.',
  'persistence:none':
    'Nothing is kept on disk: after a restart every lock is free, while those who held one work on.',
  'persistence:unknown':
    'Whether locks outlive a restart is not known: INFO says that a log is {state}, and how often it is written only CONFIG tells.',

  'replica-acknowledgement:none': 'There is no replica, so no failover can lose a lock.',
  'replica-acknowledgement:ok':
    'Redis refuses writes while fewer than {replicas} replicas follow closely, which bounds what a failover can lose to {lagMs}.',
  'replica-acknowledgement:wrong':
    'Redis grants locks that no replica knows yet: a failover may lose one, and let a second holder in. This bounds it, and does not end it.',

  'independent-nodes:unused':
    'No lock is of a library that asks a majority of independent servers.',
  'independent-nodes:replicated':
    'Locks of {library} are here, which counts on independent servers, and this one has replicas: a failover makes two votes of one.',
  'independent-nodes:unknown':
    'Locks of {library} are here, which counts on independent servers. The console watches one of them, and cannot tell whether the others are servers of their own: compare what each answers.',

  'multi-lock-slots:none':
    'No lock over several keys was seen that one script takes: only redlock and its successors, and bsm/redislock, take them so.',
  'multi-lock-slots:ok': {
    plural: 'count',
    one: 'The one lock over several keys that was seen has them in one slot: a Redis Cluster would take it too.',
    other:
      'All {count} locks over several keys that were seen have them in one slot: a Redis Cluster would take them too.',
  },
  'multi-lock-slots:split':
    'The keys of {count} locks of {library}, the last at {lastAt}, lie in different slots. One script takes all keys of such a lock: here that works, and on a Redis Cluster each of these calls fails with CROSSSLOT. A hash tag in common (in braces) keeps them in one slot; it must be the same wherever the lock is taken, and all locks with one tag lie on one node.',
  'multi-lock-slots:cluster':
    'The keys of {count} locks of {library}, the last at {lastAt}, lie in different slots, and this Redis is a node of a cluster: a script that is told its keys, as that of the library is, fails there with CROSSSLOT. A hash tag in common (in braces) keeps them in one slot; it must be the same wherever the lock is taken.',
  'multi-lock-slots:refused': {
    plural: 'count',
    one: 'This node of a Redis Cluster has refused {count} call with CROSSSLOT since its statistics began: its keys lie in different slots. It does not tell whether it was for a lock; a lock over several keys that redlock takes by one script is such a call, and is never taken. A hash tag in common (in braces) keeps its keys in one slot.',
    other:
      'This node of a Redis Cluster has refused {count} calls with CROSSSLOT since its statistics began: their keys lie in different slots. It does not tell whether they were for locks; a lock over several keys that redlock takes by one script is such a call, and is never taken. A hash tag in common (in braces) keeps its keys in one slot.',
  },

  'owner-check:ok': 'No library in use is known to release or renew without looking who holds.',
  'owner-check:wrong':
    'Locks of {libraries} are released without looking who holds them: whoever overran his lease deletes the lock of the next.',
  'owner-check:shedlock':
    'ShedLock looks who holds a lock only with safeUpdate: without it, a node that overran its lease deletes or overwrites the lock of the next.',

  'output-buffer:ok':
    'Redis keeps up to {megabytes} MB for a subscriber who reads slowly: at the present rate that bridges {bridgedMs}.',
  'output-buffer:unlimited': 'Redis never cuts off a subscriber who reads slowly.',
  'output-buffer:idle':
    'Redis keeps up to {megabytes} MB for a subscriber who reads slowly, far more than the present events need.',
  'output-buffer:small':
    'Redis cuts off a subscriber who is behind by {megabytes} MB: at the present rate after {bridgedMs}, and what was told meanwhile is lost to the console.',
  'output-buffer:cut':
    'Redis has cut the console off for reading slowly, and what it told meanwhile was not seen.',

  'idle-connections:ok': 'Redis ends no idle connection, and notices dead ones after {aliveMs}.',
  'idle-connections:timeout':
    'Redis ends connections that are idle for {idleMs}. Subscribers are spared, but a lock client that works for longer than that must connect anew to release.',
  'idle-connections:no-keepalive':
    'Redis never looks whether a silent connection is still there: firewalls drop it, the subscriber hears nothing, and neither side notices.',

  'version:ok': 'Redis {version} has all that the console and the lock client need.',
  'version:old':
    'Redis {version} is older than 7.0: no class of events for new keys, no sharded channels, and ACL rules that are not as fine.',
  'version:unknown': 'Redis does not tell its version without INFO.',

  'access-control:ok': 'Nobody gets in without a password.',
  'access-control:open':
    'Whoever reaches this Redis may do everything: take a lock away, or forge a holder.',

  'console-rights:ok':
    'The console’s user {user} may do what it needs, and nothing that is meant for administrators.',
  'console-rights:default':
    'The console connects as the user default, which every client without a name shares. A user of its own can be confined, and taken away.',
  'console-rights:broad':
    'The console’s user {user} may run more than it needs ({commands}): who steals its password can flush Redis or change its settings.',
  'console-rights:unknown':
    'What the console’s user {user} may do can only be asked by administrators, which it rightly is not. Ask as one of them.',
} as const satisfies Record<string, Template>;
