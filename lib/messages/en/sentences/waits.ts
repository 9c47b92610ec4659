import type { Template } from '@/lib/messages/sentence-template';

/** Alerts about those that wait for a lock. */
export const waits = {
  'free-but-waited:instances': {
    plural: 'count',
    one: 'nobody has held it for {lastsMs}, and {count} client instance still waits',
    other: 'nobody has held it for {lastsMs}, and {count} client instances still wait',
  },
  'free-but-waited:many': {
    plural: 'count',
    one: '{count} more lock has waiters and no holder',
    other: '{count} more locks have waiters and no holder',
  },
  'free-but-waited:remedy':
    'The wake-up after the last release did not arrive: the waiters sleep until their own timeout. If nobody takes it for long, the subscriptions are left over; restart those clients.',

  'orphan-queue:not-taken':
    '{count} waiting for {lastsMs} and nobody holds it; the first, {first}, has not taken it',
  'orphan-queue:gone':
    '{count} waiting for {lastsMs} and nobody holds it; the first, {first}, is gone',
  'orphan-queue:many': {
    plural: 'count',
    one: '{count} more lock has waiters and no holder',
    other: '{count} more locks have waiters and no holder',
  },
  'orphan-queue:drop': 'Drop the first waiter on the lock page: that wakes the next one.',
  'orphan-queue:check':
    'Check the first waiter; drop it on the lock page if it has gone. Its entry times out by itself.',
  'orphan-queue:check-until':
    'Check the first waiter; drop it on the lock page if it has gone. Its entry times out by itself (at {deadlineAt}).',

  'self-wait:waits':
    '{owner} holds it and asked for it again {lastsMs} ago, which cannot be granted',
  'self-wait:many': {
    plural: 'count',
    one: '{count} more lock is waited for by its own holder',
    other: '{count} more locks are waited for by their own holder',
  },
  'self-wait:ends': 'It goes on until the lease ends ({deadlineAt} unless renewed).',
  'self-wait:endless': 'No lease ends it.',
  'self-wait:remedy':
    'The code takes the lock a second time without re-entry: fix the nesting, or release the lock on its page.',

  'waiter-pileup:owners': {
    plural: 'count',
    one: '{count} owner waits for it',
    other: '{count} owners wait for it',
  },
  'waiter-pileup:owners-held': {
    plural: 'count',
    one: '{count} owner waits for it, held by {owner}',
    other: '{count} owners wait for it, held by {owner}',
  },
  'waiter-pileup:instances': {
    plural: 'count',
    one: '{count} client instance waits for it',
    other: '{count} client instances wait for it',
  },
  'waiter-pileup:instances-held': {
    plural: 'count',
    one: '{count} client instance waits for it, held by {owner}',
    other: '{count} client instances wait for it, held by {owner}',
  },
  'waiter-pileup:many': {
    plural: 'count',
    one: '{count} more lock is waited for by many',
    other: '{count} more locks are waited for by many',
  },
  'waiter-pileup:remedy':
    'Shorten what is done under the lock, or split it into finer ones; see its hold and wait times.',

  'retry-storm:refused': {
    plural: 'count',
    one: '{count} attempt refused because it was over a limit, {lastsMs} ago, by {owner}',
    other:
      '{count} attempts refused within {lastsMs} because they were over a limit, the last by {owner}',
  },
  'retry-storm:remedy':
    'Its clients try more often than their limit allows and fail at once (RATE_LIMITED). Let them wait for the lock (waitMs) and not retry, or raise the limit.',

  'signal-leak:grown': {
    plural: 'count',
    one: 'the list {list} that wakes its waiters holds {count} entry',
    other: 'the list {list} that wakes its waiters holds {count} entries, where one is enough',
  },
  'signal-leak:endless':
    'the list {list} that wakes its waiters has no expiry, and nobody takes its entries ({count})',
  'signal-leak:many': {
    plural: 'count',
    one: '{count} more lock has a list of wake-ups that grows or never goes away',
    other: '{count} more locks have a list of wake-ups that grows or never goes away',
  },
  'signal-leak:remedy':
    'Each signal wakes a waiter for a lock that may be held: busy loops, and a list that grows. Delete {list}; the next release makes it anew.',

  'channel-leak:channels': {
    plural: 'count',
    one: '{count} channel that wakes waiters is listened to without a lock since {sinceAt}: {names}',
    other:
      '{count} channels that wake waiters are listened to without a lock, the first since {sinceAt}: {names}',
  },
  'channel-leak:clients':
    'clients that listen to channels, and to how many: {clients}; to which, Redis does not tell',
  'channel-leak:nobody-tells': 'who listens is not known: the console may not ask for CLIENT LIST',
  'channel-leak:sampled':
    'keys that are not watched are looked at every few seconds only, so that a short lock may have been missed',
  'channel-leak:other-dbs':
    'a lock may be in one of the databases that are not watched ({dbs}): a channel belongs to all of them',
  'channel-leak:remedy':
    'These are subscriptions that Redisson, or a library with its protocol, did not end with the wait. They stay in memory, and a client with too many gets no more and cannot wait for any lock. Restart the instances that listen, one after the other; if they come back, upgrade the library there. The targets page lists the channels.',

  'index-bloat:longer': '{list} in db {db} lists {count} locks; held of them: {locks}',
  'index-bloat:remedy':
    "Entries of locks that are gone stay in it until its library's reaper finds them: check that the reaper runs. It grows in memory until then.",

  'blocking-chain:holds-up':
    '{owner} waits for nobody and holds up {count} owners, {depth} of them one behind the other; the oldest wait is {oldestMs} old',
  'blocking-chain:root':
    'Look at this one first: whatever those behind it hold waits with them, so that a slow step here stops work that has nothing to do with it.',
  'blocking-chain:endless': {
    plural: 'count',
    one: 'Releasing {key} lets {count} owner go on; no lease ends it by itself.',
    other: 'Releasing {key} lets {count} owners go on; no lease ends it by itself.',
  },
  'blocking-chain:ends': {
    plural: 'count',
    one: 'Releasing {key} lets {count} owner go on; otherwise its lease ends at {endsAt} unless it is renewed.',
    other:
      'Releasing {key} lets {count} owners go on; otherwise its lease ends at {endsAt} unless it is renewed.',
  },

  'convoy:lines-up':
    'never fewer than {waiting} wait although each hold takes only {holdMs}: {perSecond} turns a second, with {gapMs} from one to the next',
  'convoy:remedy':
    'It goes no faster than the lock can be handed over. Do several pieces of work in one hold, take it less often, or split it so that not everybody needs the same one.',

  'deadlock:cycle':
    '{path} → {first}: each waits for the next, confirmed (every wait is in a queue); oldest wait {oldestMs}',
  'deadlock:long-cycle':
    '{path} … ({count} owners) → {first}: each waits for the next, confirmed (every wait is in a queue); oldest wait {oldestMs}',
  'deadlock:knot':
    '{path}: none of these {count} owners can go on before another does, confirmed (every wait is in a queue); oldest wait {oldestMs}',
  'deadlock:behind': {
    plural: 'count',
    one: '({count} more owner is stuck behind it)',
    other: '({count} more owners are stuck behind it)',
  },
  'deadlock:release': {
    plural: 'count',
    one: 'Release {key}, held by {owner}: that lets {count} owner go on and costs {lostMs} of its holder’s work, the least of what there is.',
    other:
      'Release {key}, held by {owner}: that lets {count} owners go on and costs {lostMs} of its holder’s work, the least of what there is.',
  },
  'deadlock:release-any': {
    plural: 'count',
    one: 'Release {key}, held by {owner}: that lets {count} owner go on.',
    other: 'Release {key}, held by {owner}: that lets {count} owners go on.',
  },
  'deadlock:release-dead': {
    plural: 'count',
    one: 'Release {key}: its holder {owner} is gone, so that no work is lost; that lets {count} owner go on.',
    other:
      'Release {key}: its holder {owner} is gone, so that no work is lost; that lets {count} owners go on.',
  },
  'deadlock:ends': 'Otherwise it ends at {endsAt} if the lease of {key} is not renewed before.',
  'deadlock:unlikely':
    'It is unlikely to end by itself: {library}, whose lock {key} is, renews its leases unless it is told not to. No renewal has been seen yet.',
  'deadlock:endless': 'It does not end by itself: every hold is renewed or has no expiry.',
  'deadlock:broken-released': 'Broken by {owner}: it released {key}.',
  'deadlock:broken-forced': 'Broken by {actor}, who released {key} by force; {owner} held it.',
  'deadlock:broken-forced-unnamed': 'Broken when {key} was released by force; {owner} held it.',
  'deadlock:broken-lease-ended': 'Broken when the lease of {owner} on {key} ended.',
  'deadlock:broken-overwritten': 'Broken when {key}, held by {owner}, was overwritten.',
  'deadlock:broken-evicted': 'Broken when Redis dropped {key}, held by {owner}, for memory.',
  'deadlock:broken-vanished': 'Broken when {key}, held by {owner}, was gone without an event.',
  'deadlock:broken-moved': 'Broken when {key}, held by {owner}, was renamed or moved.',
  'deadlock:broken-lost-in-failover':
    'Broken by a failover, after which Redis had no {key} of {owner}.',
  'deadlock:broken-unknown': 'Broken when {owner} held {key} no more; how that came was not seen.',
  'deadlock:broken-wait-ended': 'Broken when {owner} no longer waited for {key}.',
  'deadlock:broken-unseen': 'What broke it was not seen.',
  'deadlock:order': 'Take these locks in one order everywhere.',
} as const satisfies Record<string, Template>;
