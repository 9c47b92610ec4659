const DELETED = 'The key is deleted if it still holds the same value.';
const EVERY_NODE =
  'A Redlock over several servers stays held until a majority of them is released.';

/** Libraries of PHP, Elixir and Rust. */
export const phpElixirRustFormats: Record<string, Record<string, string>> = {
  laravel: {
    name: 'Laravel',
    'release-deletes': DELETED,
    'release-silent': 'The holder is not told: its release() compares the owner and returns false.',
    'unchecked-unlock':
      'Unique jobs and scheduled tasks unlock without a check: when the old one ends, it deletes the lock of whoever came next.',
    'wakes-nobody': 'Nobody is woken: block() polls every 250 ms.',
  },
  'laravel-funnel': {
    name: 'Laravel concurrency limiter',
    'release-deletes': DELETED,
    'one-place':
      'This is one place of several: the limiter has a key for each, with its number at the end.',
    'release-silent': 'The holder is not told, and its work goes on.',
    'wakes-nobody': 'Nobody is woken: waiting processes poll every 250 ms.',
  },
  symfony: {
    name: 'Symfony Lock',
    'release-deletes':
      'All holders that were shown are removed, the writer’s mark with them; others stay inside.',
    'refresh-fails':
      'A holder’s refresh() will throw LockConflictedException; one that only releases is not told.',
    'wakes-nobody': 'Nobody is woken: waiting processes poll every 100 ms or so.',
  },
  'elixir-redlock': {
    name: 'redlock (Elixir)',
    'release-deletes': DELETED,
    'release-silent': 'The holder is not told: it notices when it extends or unlocks.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry after a pause of their own.',
    'every-node': EVERY_NODE,
  },
  rslock: {
    name: 'rslock (Rust)',
    'release-deletes': DELETED,
    'release-silent': 'The holder is not told: it notices when it extends.',
    'wakes-nobody': 'Nobody is woken: waiting clients retry every 200 ms or so.',
    'every-node': EVERY_NODE,
  },
};
