export const advice = {
  title: 'Advice',
  tab: 'Kind of advice',
  tabs: { contention: 'Contention', timeouts: 'Timeouts', configuration: 'Configuration' },
  descriptions: {
    contention:
      'How locks could be cut so that less is waited for them: what was recorded of the busiest ones, replayed with the lock cut differently.',
    timeouts:
      'For how long each class of locks should be leased: the p99 of its holds of the last seven days and twice the jitter of the network. So a lock ends soon after a crash, and not before the work.',
    configuration:
      'How Redis, the services and this console are set, as far as locks depend on it. What cannot be seen is unknown, never fine.',
  },
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
  timeouts: {
    cardLabel: '{verdict}: {subject}',
    verdicts: {
      'too-short': 'Too short',
      'too-long': 'Too long',
      fits: 'Fits',
      unknown: 'Lease not seen',
    },
    headline: {
      'too-short': 'Lease it for {recommended} instead of {lease}.',
      'too-long': 'Lease it for {recommended} instead of {lease}.',
      fits: 'A lease of {lease} fits; {recommended} would be enough.',
      unknown: 'Lease it for {recommended}.',
    },
    why: {
      'too-short':
        'Its lease ends before one hold in a hundred is over: another takes the lock while the work goes on.',
      'too-long':
        'Its lease is more than ten times as long as its holds: a crash blocks it that long.',
      fits: '',
      unknown: 'No lock of it was held lately, so the lease it has is not known.',
    },
    rules: {
      holds: 'The p99 of its holds, and twice the jitter of the network.',
      burst:
        'Recent holds are longer than usual: {above, plural, one {# hold} other {# holds}} of {holds, number} before {at} lasted longer than the p99 of the week, and the p99 among them was {p99}. The recommendation follows at once and is halved towards the usual one every ten minutes.',
      renewals:
        'Its holders renew every {interval}, so that the lease does not limit how long they hold. Three renewals to a lease: one may be late and one lost.',
      cut: '{cut, number} of {count, number} holds were cut by their lease or otherwise taken away while others ended not far below it: how long they would have lasted nobody knows. Twice of what they had, until holds end by themselves.',
      least:
        'Its holds ask for less than that. But a process that stands still for a moment must not lose its lock: 1 s is the least.',
      'renewed-anyway':
        'Its client renews at every third of its lease, so that its holds may be longer. A longer lease would only make a crash dearer.',
    },
    unrenewed:
      'One hold in a hundred is longer still: nothing renews it, so check the fence where the work is written.',
    holds: 'Holds',
    holdsOf: 'p50 {p50}, p99 {p99}, {count, plural, one {# hold} other {# holds}}',
    atLeast: 'p50 {p50}, p99 at least {p99}, {count, plural, one {# hold} other {# holds}}',
    between: 'With 95 % confidence the p99 lies between {low} and {high}.',
    above:
      'There are too few holds to bound the p99 from above; with 95 % confidence it is {low} or more.',
    sampled:
      'From the newest {count, plural, one {# hold} other {# holds}} one by one: what is kept after the work is left out.',
    lease: 'Lease now',
    leaseOf: '{usual} ({count, plural, one {# hold} other {# holds}} seen)',
    leaseRange:
      '{usual}, from {least} to {most} ({count, plural, one {# hold} other {# holds}} seen)',
    noLease: 'not seen',
    crash: 'After a crash',
    crashOf: 'stays held for {now} on average; {after} with the advice',
    crashThen: 'stays held for {after} on average with the advice',
    confidence: 'Confidence',
    confidences: {
      low: 'low',
      fair: 'fair',
      good: 'good',
    },
    confidenceWhy: {
      low: 'too few holds to bound the p99, less than a day of history, or holds that were cut',
      fair: 'less than seven days of history, a wide interval, or no jitter measured yet',
      good: 'seven days of history and a narrow interval',
    },
    recommended: 'Recommended',
    class: 'Class',
    verdict: 'Verdict',
    p99: 'Hold p99',
    others: 'Other classes',
    othersText: 'Classes whose lease fits, or is not known.',
    othersCaption: 'Other classes with a recommended lease',
    code: 'In the service',
    publishCode: 'For lock clients with adaptiveLease',
    copy: 'Copy the code',
    published: 'Published',
    publishedOf: '{lease}',
    notPublished: 'nothing',
    notOurs: 'Its library reads no published lease: it is set in the service.',
    waits: 'Waits and holds',
    locks: 'Its locks',
    basis:
      '{days, number, ::.#} of {wanted, number} days watched. Jitter of the network {jitter}: p99 {p99} less p50 {p50} of {count, number} round trips of the console itself; lock clients report none.',
    basisNoJitter:
      '{days, number, ::.#} of {wanted, number} days watched. The jitter of the network is not measured yet, and counts as zero.',
    short: 'With fewer than seven days, confidence is lower.',
    retry: 'Retry delay',
    retryShort:
      'A failed task is tried again after {delay}; with a lock timeout of {timeout} it should be {least} or more, 1.5 times as long.',
    retryUnknown:
      '{file} names no retry delay; with a lock timeout of {timeout} it should be {least} or more, 1.5 times as long.',
    retryOk:
      'A failed task is tried again after {delay}: at least 1.5 times the lock timeout of {timeout}.',
    none: 'No lease to recommend yet',
    noneText:
      'A class needs 30 holds of which both ends were seen. Leases follow from what is recorded here: nothing was, or too little.',
    silent: 'Nothing recommended',
    silentText: 'Classes that are held and of which nothing is said, and why.',
    silentCaption: 'Classes without a recommended lease',
    silentHolds: 'Holds',
    because: {
      'too-few': 'Fewer than 30 holds.',
      'left-to-lease': 'Most of its holds end with their lease: that is how it is used.',
      'several-holders': 'Several hold it at once; a hold of the key is nobody’s own.',
      'kept-on-purpose':
        'Its locks are kept after the work, and how long the work took is not told.',
    },
    leftOut: '{count, plural, one {# class} other {# classes}} more, used less, are not shown.',
    publish: 'Publish',
    publishAll: 'Publish all',
    publishTitle: 'Publish leases for lock clients',
    publishText:
      'Lock clients with adaptiveLease read these within 30 s and lease by them, within their own bounds. Nothing is published by itself: not now and not later.',
    publishWrites: 'What is written',
    publishCaption: 'Leases that are written',
    publishColumns: { place: 'Hash and field', now: 'Now', after: 'Then' },
    publishRemoves:
      'What is removed: published from here before, unchanged since, and recommended no more',
    publishLow:
      '{count, plural, one {# class} other {# classes}} of low confidence {count, plural, one {is} other {are}} left out; publish {count, plural, one {it} other {them}} one by one.',
    publishReason: 'Reason',
    publishReasonHint: 'Kept in the audit.',
    publishNothing: 'Nothing can be published: no class of a lock client has enough holds.',
    publishNeedsAdmin: 'Publishing needs the role admin.',
    stale:
      '{count, plural, one {# lease} other {# leases}} published from here {count, plural, one {is} other {are}} recommended no more. “Publish all” removes {count, plural, one {it} other {them}}.',
    unreadable: 'Not known what is published',
  },
  configuration: {
    states: { ok: 'OK', wrong: 'Wrong', unknown: 'Unknown' },
    checks: {
      'one-db': 'One database for all instances',
      'empty-keys': 'Variables in lock names',
      'retry-delay': 'Retry delay against lock timeout',
      eviction: 'Eviction',
      notifications: 'Keyspace notifications',
      'replica-notifications': 'Notifications of replicas',
      persistence: 'Persistence against lock safety',
      'replica-acknowledgement': 'Acknowledgement by replicas',
      'independent-nodes': 'Independent nodes for Redlock',
      'multi-lock-slots': 'Slots of locks over several keys',
      'owner-check': 'Release by the owner only',
      'output-buffer': 'Output buffer of subscribers',
      'idle-connections': 'Idle connections',
      version: 'Version of Redis',
      'access-control': 'Access control',
      'console-rights': 'Rights of the console',
    },
    summary:
      '{wrong, plural, =0 {Nothing is wrong} one {# is wrong} other {# are wrong}}, {unknown, number} unknown, {ok, number} fine.',
    copy: 'Copy the command',
    evidence: 'Read',
    fix: 'What sets it right',
    ask: 'What would tell',
    links: {
      locks: 'Locks',
      alerts: 'Alerts',
      targets: 'Targets',
      libraries: 'Libraries',
      timeouts: 'Timeouts',
    },
    checked: 'Checked <at></at>.',
  },
};
