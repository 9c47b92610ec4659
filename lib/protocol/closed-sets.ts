/**
 * The closed sets of the protocol, apart from its schemas: pages list and check these names, and would
 * otherwise load the whole schema library for them.
 */

/** How a figure came to be known. `unknown` is never drawn as zero. Positions are stored: append only. */
export const EVIDENCES = ['observed', 'inferred', 'unknown'] as const;

export const LOCK_STATES = ['held', 'free', 'cooling-down', 'broken', 'orphan-queue'] as const;

/** Why a hold ended. Positions are stored: append only. */
export const END_REASONS = [
  'released',
  'lease-ended',
  'overwritten',
  'evicted',
  'vanished',
  'moved',
  'lost-in-failover',
  'force-released',
  'unknown',
] as const;

/** What else is known of a hold. Positions are stored: append only. */
export const HOLD_NOTES = [
  'owner-not-seen',
  'started-before-watch',
  'started-in-gap',
  'ended-in-gap',
  'touches-gap',
  'confirmed-by-check',
  'late-release',
  'overrun',
  'finished-kept',
  'depth-inferred',
  'lease-shortened',
  'lease-removed',
  'value-changed-shape',
  'flushed',
  'moved-in',
  'writes-unread',
] as const;

export const LOCK_SORTS = [
  'key',
  '-since',
  'since',
  'deadline',
  '-waiting',
  '-renewals',
  'class',
  'owner',
] as const;

/** Saved views of the list of locks: conditions that no single field expresses. */
export const LOCK_VIEWS = ['no-expiry', 'long-holds', 'waited-for', 'lost', 'alerted'] as const;

/**
 * What a heatmap shows: `waiters` is the average number who wait, `wait` how long those waited whose wait ended (p95),
 * `handoff` the time from one hold's end to the next one's start (p95), `lost` holds that did not end by a release.
 */
export const HEAT_METRICS = [
  'hold-share',
  'acquisitions',
  'waiters',
  'wait',
  'attempts',
  'timeouts',
  'handoff',
  'lost',
] as const;

/** What a row of a heatmap is: `others` are the colder ones of a class or namespace, added up. */
export const HEAT_ROW_KINDS = ['class', 'lock', 'owner', 'others'] as const;

/** Where a wait was seen. Positions are stored: append only. */
export const WAIT_SOURCES = ['fair-queue', 'report', 'token-time'] as const;

/**
 * For whom somebody waited: a holder by name, one that nobody saw (`unnamed`), nobody because the lock was free, or
 * causes too small to be kept one by one (`others`). Positions are stored: append only.
 */
export const BLAME_CAUSES = ['holder', 'unnamed', 'nobody', 'others'] as const;

/**
 * What a replay takes for granted: that any segment will do (chance decides), that work of different business ids may run at
 * the same time (their hash decides), or that locks held at once by one owner may be one.
 */
export const ADVICE_ASSUMPTIONS = ['any-segment', 'business-id', 'held-together'] as const;

/**
 * Why nothing is advised for a busy class: no single wait is seen; few waits; they are spread over many locks; several
 * hold at once, and the replay knows one holder; its holders wait for another lock meanwhile, and a split would move the
 * waiting there; the replay of the record does not come out as recorded; no change would bring enough.
 */
export const ADVICE_SILENCES = [
  'waits-unknown',
  'too-few',
  'spread',
  'several-holders',
  'waits-inside',
  'not-reproduced',
  'nothing-helps',
] as const;

/**
 * What a recommended lease follows: the usual holds; recent ones, which are longer; how often holders renew; holds that
 * were cut, so that it is twice what they had; the length beyond which a client that renews needs no more; the least that
 * is ever recommended.
 */
export const TIMEOUT_RULES = [
  'holds',
  'burst',
  'renewals',
  'cut',
  'renewed-anyway',
  'least',
] as const;

/** The lease as it is, against what its holds need; unknown = no lease was seen. */
export const TIMEOUT_VERDICTS = ['too-short', 'too-long', 'fits', 'unknown'] as const;

export const TIMEOUT_CONFIDENCES = ['low', 'fair', 'good'] as const;

/**
 * Why no lease is recommended for a class: few holds; most are left to their lease; several hold at once; all that ended
 * were kept on purpose after the work, which leaves nothing that tells how long it took.
 */
export const TIMEOUT_SILENCES = [
  'too-few',
  'left-to-lease',
  'several-holders',
  'kept-on-purpose',
] as const;

/** What is checked of how Redis, the services and the console are set. */
export const CONFIG_CHECKS = [
  'one-db',
  'empty-keys',
  'retry-delay',
  'eviction',
  'notifications',
  'replica-notifications',
  'persistence',
  'replica-acknowledgement',
  'independent-nodes',
  'multi-lock-slots',
  'owner-check',
  'output-buffer',
  'idle-connections',
  'version',
  'access-control',
  'console-rights',
] as const;

/** `unknown`: it could not be seen, which is no praise. */
export const CHECK_STATES = ['ok', 'wrong', 'unknown'] as const;

export const ROLES = ['viewer', 'operator', 'admin'] as const;

/** An alert that was over and came back more often than this within ten minutes flaps. */
export const FLAPS = 3;

export const SEVERITIES = ['critical', 'warning', 'info'] as const;

export const ALERT_CODES = [
  'no-expiry',
  'long-hold',
  'renewal-missed',
  'zombie-renewal',
  'overrun',
  'stalled-risk',
  'takeover',
  'foreign-release-suspected',
  'evicted',
  'vanished',
  'lost-in-failover',
  'born-short',
  'flapping',
  'came-back',
  'orphan-queue',
  'free-but-waited',
  'waiter-pileup',
  'retry-storm',
  'hot-client',
  'deadlock',
  'self-wait',
  'order-inversion',
  'empty-key',
  'db-mismatch',
  'redlock-partial',
  'not-independent',
  'eviction-risk',
  'insecure-redis',
  'old-redis',
  'replica-attached',
  'blind',
  'buffer-cut',
  'store-broken',
  'judging-failed',
  'signal-leak',
  'index-bloat',
  'slow-handoff',
  'lease-too-short',
  'blocking-chain',
  'convoy',
  'write-refused',
  'blind-after-failover',
  'one-sided',
  'notify-failing',
  'channel-leak',
] as const;

/** What happens in the life of an alert. */
export const ALERT_EVENT_KINDS = [
  'pending',
  'fired',
  'changed',
  'acknowledged',
  'silenced',
  'unsilenced',
  'doubtful',
  'certain',
  'flapping',
  'resolved',
  'reopened',
  'acted',
  'notified',
  'notify-failed',
] as const;

/**
 * Why no wait of a class is seen: its libraries poll, never wait, or show how many wait without telling
 * since when.
 */
export const NO_WAIT_REASONS = ['polls', 'never-waits', 'counted-only'] as const;

export const TRACE_STATES = ['running', 'done', 'stopped'] as const;

/** Why a trace ended before its time. */
export const TRACE_STOPS = [
  'asked',
  'redis-slow',
  'too-many-commands',
  'console-slow',
  'buffer-grows',
  'disconnected',
  'console-stopped',
] as const;

export const LONGEST_TRACE_S = 30;

/** How much of a target reaches the console; `part` = some kinds of event do not. */
export const TARGET_SIGHTS = ['whole', 'part', 'nothing'] as const;

/** How the waiters of a library's locks can be seen. */
export const WAITER_KINDS = [
  'fair-queue',
  'pubsub',
  'beside',
  'blocked',
  'poll',
  'never-waits',
] as const;

/** What the old holder does to a lock that was released under it; of a library that is not known, nobody can say. */
export const OLD_HOLDERS = ['fails', 'revives', 'steals', 'unknown'] as const;

export const DISCOVERY_STATES = ['running', 'done', 'stopped', 'failed'] as const;

/** What ended a run: every key was seen, a budget was spent, somebody stopped it, or it could not go on. */
export const DISCOVERY_ENDS = [
  'all-seen',
  'key-budget',
  'time-budget',
  'stopped',
  'failed',
] as const;

/** How sure it is that keys are locks of a library, the surest first. */
export const CERTAINTIES = ['certain', 'likely', 'looks-like'] as const;

/** Patterns that may be pinned at once. */
export const MAX_PINS = 100;

/** Bounds of a run that looks for locks. */
export const DISCOVERY_LIMITS = {
  maxKeys: { least: 1_000, usual: 200_000, most: 100_000_000 },
  seconds: { least: 1, usual: 20, most: 120 },
} as const;

/** By what alerts are told. */
export const CHANNEL_KINDS = ['webhook', 'slack', 'alertmanager', 'pagerduty', 'email'] as const;

/** What a delivery tells of. */
export const DELIVERY_EVENTS = ['firing', 'acknowledged', 'resolved', 'test'] as const;

/** Channels and routes that may be set. */
export const MAX_CHANNELS = 50;
export const MAX_ROUTES = 100;

/** The member of a closed set that `value` is, or undefined. */
export const memberOf = <T extends string>(set: readonly T[], value: unknown): T | undefined =>
  set.find((member) => member === value);
