import { createHash } from 'node:crypto';
import { LockError } from './errors.js';
import { CONFIG } from './hot-config/config-wire.js';
import {
  adviceKey,
  CHANNEL,
  DEFAULT_PREFIX,
  FENCE,
  INBOX,
  INSTANCE,
  limitKey,
  reportsKey,
  RW_CHANNEL,
  SEMAPHORE_CHANNEL,
} from './names.js';
import { checkNamespace } from './options.js';

export interface AclRuleOptions {
  /** Name of the Redis user. */
  user: string;
  /** Stands in the rule as its SHA-256, so that the line may be kept. Without one the user keeps theirs. */
  password?: string;
  /** As in the client's options; default `qoder:lock:`. */
  prefix?: string;
  /** As in the client's options. Without one the user may take every lock under the prefix. */
  namespace?: string;
  /** Beginnings of further keys that the user may use as the client does: a stock's `prefix`, for example. */
  alsoUnder?: readonly string[];
}

/** What the scripts do to keys; Redis checks each of them for the user who runs the script. */
const IN_SCRIPTS =
  'del exists unlink get set hdel hexists hget hgetall hincrby incrby hkeys hlen hmget hset hsetnx lindex llen lpop lpos lrange lrem rpush pexpire pexpireat pttl publish pubsub|numsub time xadd zadd zcard zcount zrange zrangebyscore zrank zrem zremrangebyscore zscore';
const BESIDE_SCRIPTS = 'eval evalsha script|load subscribe unsubscribe multi exec';
/** What a connection says about itself, and asks about the server. */
const CONNECTION =
  'ping info select acl|whoami client|setname client|id readonly cluster|slots cluster|info';

/** With the rest, enough to be asked who holds a lock: `lockscope lock debug`. */
const TO_LOOK = 'type hscan';

const COMMANDS = [BESIDE_SCRIPTS, IN_SCRIPTS, TO_LOOK, CONNECTION].join(' ').split(' ');

/** What `scripts/shared.ts` keeps of those who wait, beside the lock. */
const WAITERS = ['redisson_lock_queue:', 'redisson_lock_timeout:', 'lockscope:wishes:'];
/** What the task runner keeps beside a task's lock (`task-runner/keys.ts`). */
const TASKS = ['lockscope:task:state:', 'lockscope:task:queue:', 'lockscope:task:run:'];
const TASK_CHANNEL = 'lockscope:task:channel:';

function bad(option: string, what: string): LockError {
  return new LockError('BAD_OPTIONS', `The ACL rule's ${option} ${what}.`, { option });
}

/** Stands for itself in a pattern of Redis. */
const literal = (text: string): string => text.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);

/** Names around a key are `PREFIX:{KEY}`, or `PREFIX:KEY` where the key holds a brace itself. */
const around = (prefix: string, area: string): string[] => [
  `${prefix}{${area}*`,
  `${prefix}${area}*`,
];

function keyPatterns(area: string, namespace: string): string[] {
  const exact = [reportsKey(namespace), adviceKey(namespace), limitKey(namespace)].map(literal);
  const locks = [`${area}*`, `{${area}*`];
  const companions = [...WAITERS, FENCE, ...TASKS, CONFIG].flatMap((prefix) =>
    around(prefix, area),
  );
  return [...locks, ...companions, `${INSTANCE}*`, ...exact];
}

const channelPatterns = (area: string): string[] => [
  ...[CHANNEL, RW_CHANNEL, SEMAPHORE_CHANNEL, TASK_CHANNEL, CONFIG].flatMap((prefix) =>
    around(prefix, area),
  ),
  `${INBOX}*`,
];

/**
 * The rule for a user who may use the lock client, tasks and hot configuration within one namespace and nothing else, as one line for
 * redis-cli or a users.acl file without its first two words: `ACL SETUSER <user> on …`. It sets everything
 * but the password anew, so that it may be applied to an existing user.
 *
 * Not narrower than all namespaces are `lockscope:instance:*` and `lockscope:inbox:*`: they carry a client's
 * random UUID, which nobody can list under this rule (no SCAN, KEYS, PSUBSCRIBE or PUBSUB CHANNELS) and
 * which stands only in locks of its own namespace. Throws BAD_OPTIONS.
 */
export function aclRule(options: AclRuleOptions): string {
  const { user, password, prefix = DEFAULT_PREFIX, namespace = '', alsoUnder = [] } = options;
  if (!/^[^\s]+$/.test(user)) throw bad('user', 'is empty or holds white space');
  if (password === '') throw bad('password', 'is empty');
  for (const beginning of [prefix, ...alsoUnder]) {
    if (beginning !== '' && !/[\s\0]/.test(beginning)) continue;
    throw bad('prefix', 'is empty or holds white space, which a pattern of Redis cannot');
  }
  if (namespace !== '') checkNamespace(namespace);
  const area = literal(namespace ? `${prefix}${namespace}:` : prefix);
  return [
    `ACL SETUSER ${user} on`,
    ...(password === undefined ? [] : ['resetpass', `#${sha256(password)}`]),
    'clearselectors resetkeys resetchannels -@all',
    ...keyPatterns(area, namespace).map((pattern) => `~${pattern}`),
    ...alsoUnder.map((beginning) => `~${literal(beginning)}*`),
    ...channelPatterns(area).map((pattern) => `&${pattern}`),
    ...COMMANDS.map((command) => `+${command}`),
  ].join(' ');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
