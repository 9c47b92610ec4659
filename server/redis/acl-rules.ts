/** What releasing needs beyond looking, as rules for `ACL SETUSER`; README says the same. */
export const RELEASE_RULES = '~* +eval +evalsha +publish +del +zrem +lrem +lpop';
/** The channels that a release wakes on: Redisson's, and the inboxes of our own clients. */
export const WAKE_CHANNELS = ['redisson_lock__channel:*', 'redisson_rwlock:*', 'lockscope:inbox:*'];
/** Redis refuses it for a user who may use all channels already. */
export const WAKE_CHANNEL_RULE = WAKE_CHANNELS.map((channel) => `&${channel}`).join(' ');
