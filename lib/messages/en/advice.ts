export const advice = {
  title: 'Advice',
  description:
    'How locks could be cut so that less is waited for them: what was recorded of the busiest ones, replayed with the lock cut differently.',
  kinds: { split: 'Split', group: 'Group' },
  cardLabel: '{kind}: {subject}',
  headline: {
    split:
      'Split it into {segments, number} locks: on average {changed} would wait for it instead of {now}.',
    group: 'Take both as one lock: on average {changed} would wait for them instead of {now}.',
  },
  groupOf: 'taken first, then',
  drop: '{percent} less waiting',
  figures: 'Average number of owners that wait',
  asIs: 'now',
  changed: 'then',
  waitP99: 'Wait p99',
  optionsCaption: 'What each number of locks would bring',
  columns: { segments: 'Locks', contention: 'Waiters', drop: 'Less' },
  chosen: 'advised',
  basis: 'Replayed',
  basisOf: {
    split:
      '{arrivals, plural, one {# arrival} other {# arrivals}} from {from} to {to}. The record itself says {recorded} waiters on average; its replay as it was says {replayed}.',
    group:
      '{arrivals, plural, one {# hold} other {# holds}} from {from} to {to}, of which one owner had both at once {together, plural, one {once} other {# times}}. The record itself says {recorded} waiters on average; its replay as it was says {replayed}.',
  },
  holds: 'Holds',
  holdsOf: 'p50 {p50}, p99 {p99}',
  assumes: 'Takes for granted',
  assumptions: {
    'any-segment':
      'Any of the new locks will do for any piece of work, as with units of a stock, and each takes one by chance. Whoever asks would ask at the same times and hold for as long.',
    'business-id':
      'Work of different business ids may run at the same time; its hash chooses the lock, so that the same id meets the same lock. Whoever asks would ask at the same times and hold for as long.',
    'held-together':
      'Who takes both takes the one in their place, once, and does the same work; who takes one of them takes it as well. What the second lock costs to take and to give back is spared too, and not counted here.',
  },
  costs: 'What it costs',
  costsOf: {
    split:
      'What concerns the whole must add up the parts or take all of the locks, always in the same order. A number of parts once in use is hard to change.',
    group:
      'Less runs side by side: who needs only one of the two waits for both. It also ends any chance that two owners take them in opposite order.',
  },
  how: 'How',
  howTo: {
    'any-segment':
      'Draw the number of a lock for each piece of work and keep a part of the thing under each. For units that are sold there is the segmented stock of the lock client, which also serves an order whose part is empty.',
    'business-id':
      'Make the name of the lock depend on what is worked on: one lock for each, or a fixed number that a hash of it chooses. Every service that takes the lock must change at once, or both the old and the new lock must be taken for a while.',
    'held-together':
      'Take one lock of a common name where both are taken now, and wherever either is taken alone. Every service must change at once, or both the old and the new lock must be taken for a while.',
  },
  code: 'With the lock client',
  stockCode: 'Or, for units of a stock',
  copy: 'Copy the code',
  links: { lock: 'The lock', waits: 'Waits', blame: 'Who made others wait' },
  none: 'Nothing to advise',
  noneButSilent:
    'No advice can be given for any busy class of this range; the list below says why.',
  nothingWaited: 'No waiting seen',
  nothingWaitedText:
    'In this range hardly anybody waited for a lock whose waiters can be seen. Locks of libraries that poll show none.',
  silent: 'Busy, and no advice',
  silentText: 'Classes of which much is held or waited for, and why nothing is said of them.',
  silentCaption: 'Busy classes without advice',
  silentColumns: { class: 'Class', because: 'Why' },
  because: {
    'waits-unknown': 'Who waits for how long is not seen: its library polls, or only counts.',
    'too-few': 'Too few waits to tell what would change them.',
    spread: 'The waiting is spread over many locks, none of which stands out.',
    'several-holders': 'Several hold it at once; the replay knows one holder at a time.',
    'waits-inside':
      'Its holders wait for another lock meanwhile: a split would move the waiting there.',
    'not-reproduced':
      'The replay of the record as it was does not come out as it was recorded, so that nothing follows from it.',
    'nothing-helps':
      'Neither up to 16 locks in place of one nor one in place of two spares 42 % of the waiting.',
  },
};
