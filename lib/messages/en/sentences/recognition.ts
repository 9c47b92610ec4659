import type { Template } from '@/lib/messages/sentence-template';

/** How a lock's library was recognised: clauses that complete "Recognised by:". */
export const recognition = {
  'because:hash-uuid-thread': 'hash whose field is <uuid>:<thread>',
  'because:hash-uuid-thread-queue': 'hash whose field is <uuid>:<thread>, with a fair queue',
  'because:queue-alone': 'a fair queue whose lock key is absent',
  'because:hash-uuid-uuid': 'hash whose field is <uuid>:<uuid>',
  'because:lock-end-uuid-number': 'key ends with :lock, value is <uuid>:<n>',
  'because:bull-key': 'key is bull:<queue>:<job>:lock',
  'because:declared': 'a watched pattern declares this key',
  'because:prefix': 'key begins with {prefix}',
  'because:prefix-uuid': 'key begins with {prefix}, value is a uuid',
  'because:zset-prefix': 'sorted set whose key begins with {prefix}',
  'because:zset-uuids': 'sorted set of uuids scored with times',
  'because:uuid-1': 'value is a version 1 uuid of a recent time',
  'because:hex-32': 'value is 32 hex digits',
  'because:added-time-host': 'value is ADDED:<time>@<host>:<uuid>',
  'because:own-client': 'an owner that only Lockscope’s client makes (a version 8 uuid)',
  'because:last-held': 'as it was when it was last held',
  'because:not-read': 'not read yet',
} as const satisfies Record<string, Template>;
