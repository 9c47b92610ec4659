/** What releasing needs beyond looking, as rules for `ACL SETUSER`; README says the same. */
export const RELEASE_RULES = '~* +eval +evalsha +publish +del +zrem +lrem +lpop';
/** The channels that a release wakes on. Redis refuses it for a user who may use all channels already. */
export const WAKE_CHANNEL_RULE = '&redisson_lock__channel:* &redisson_rwlock:* &lockscope:inbox:*';
