import { goPythonRubyFormats } from './formats/go-python-ruby';
import { javaDotnetFormats } from './formats/java-dotnet';
import { nodeFormats } from './formats/node';
import { phpElixirRustFormats } from './formats/php-elixir-rust';

/**
 * Per lock library: `name` as its users write it, and the notes told before a release: what a release
 * does, who is woken, who comes back.
 */
export const formats: Record<string, Record<string, string>> = {
  redisson: {
    name: 'Redisson',
    'release-deletes': 'The key is deleted, as forceUnlock does.',
    'wakes-waiters': 'A message on the lock’s channel wakes one thread of every waiting instance.',
    'watchdog-stops':
      'The holder’s watchdog stops silently; its unlock() will throw IllegalMonitorStateException.',
    'fencing-kept': 'The fencing counter is left alone.',
  },
  'redisson-fair': {
    name: 'Redisson fair lock',
    'release-deletes': 'The key is deleted, as forceUnlock does.',
    'wakes-head':
      'The first living waiter of the queue is woken; waiters past their time are dropped.',
    'dead-head': 'A dead waiter at the head of the queue blocks everybody behind it.',
    'watchdog-stops':
      'The holder’s watchdog stops silently; its unlock() will throw IllegalMonitorStateException.',
  },
  'node-redisson': {
    name: 'node-redisson',
    'release-deletes': 'The key is deleted.',
    'wakes-waiters': 'A message on the lock’s channel wakes the waiting instances.',
    'wakes-stream':
      'In streams mode the message goes into redisson:events, which every instance reads.',
    'renewal-fails': 'The holder’s renewal finds nothing and stops. Its work goes on.',
  },
  ...javaDotnetFormats,
  'redis-py': {
    name: 'redis-py',
    'release-deletes': 'The key is deleted if it still holds the same value.',
    'release-raises': 'The holder’s release() will raise LockNotOwnedError.',
    'wakes-nobody': 'Nobody is woken: waiting clients poll every 100 ms.',
  },
  shedlock: {
    name: 'ShedLock',
    'release-deletes': 'The key is deleted if it still holds the same value.',
    'runs-again':
      'Another node may run the job again at once, even if it was only kept for lockAtLeastFor.',
    'unchecked-unlock':
      'Without safeUpdate the old node deletes or overwrites whoever holds the lock next.',
    'never-waits': 'Nobody waits: a node that failed has skipped its run.',
  },
  qoder: {
    name: 'QoderWake',
    'release-deletes': 'The key is deleted.',
    'wakes-head': 'The first living waiter of the queue is asked to take it at once.',
    'holder-told': 'The holder is told at once: its lock.signal aborts.',
    'fencing-kept':
      'The fencing counter is left alone, so a late write of the old holder is refused.',
    'wakes-nobody': 'Nobody is woken: waiting clients notice at their next attempt.',
    'renewal-fails': 'The holder’s renewal finds nothing and stops. Its work goes on.',
  },
  'qoder-semaphore': {
    name: 'QoderWake semaphore',
    'members-removed': 'All members that were shown are removed; others keep their places.',
    'wakes-head': 'The first living waiters of the queue are asked to take the places at once.',
    'holder-told': 'The holders are told at once: their lock.signal aborts.',
  },
  'qoder-read-write': {
    name: 'QoderWake read-write lock',
    'release-deletes': 'The key is deleted: the writer, or every reader, loses it.',
    'wakes-head': 'The first living waiter of the queue is asked to take it at once.',
    'holder-told': 'The holders are told at once: their lock.signal aborts.',
    'fencing-kept':
      'The fencing counter is left alone, so a late write of the old holder is refused.',
  },
  pattern: {
    name: 'Own pattern',
    'release-deletes': 'The key is deleted if it still holds the same value.',
    'wakes-nobody':
      'Nobody is woken: clients that ask again notice, those that wait for a signal of their library go on waiting. If you know the library, pin it first.',
    'unknown-library':
      'The library is not known: whether the holder notices, or comes back, cannot be said.',
  },
  ...nodeFormats,
  ...goPythonRubyFormats,
  ...phpElixirRustFormats,
};
