/**
 * What releasing needs beyond looking, as rules for `ACL SETUSER`; README says the same. Each library's scripts
 * use a few of these commands, and a script that may not run is refused before it has changed anything.
 */
export const RELEASE_RULES =
  '~* +eval +evalsha +publish +spublish +del +hdel +srem +zrem +lrem +lpop +lpush +pexpire +incrby +xadd';
/** The channels that a release wakes on: Redisson's, Spring's, and the inboxes of our own clients. */
export const WAKE_CHANNELS = [
  'redisson_lock__channel:*',
  'redisson_rwlock:*',
  'redisson_sc:*',
  'redisson_countdownlatch__channel__*',
  '*-channel:*',
  'lockscope:inbox:*',
];
/** Redis refuses it for a user who may use all channels already. */
export const WAKE_CHANNEL_RULE = WAKE_CHANNELS.map((channel) => `&${channel}`).join(' ');
