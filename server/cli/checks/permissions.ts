import type { Redis } from 'ioredis';
import { aclRule } from '@/lib/lock/acl';
import { RELEASE_RULES, WAKE_CHANNEL_RULE, WAKE_CHANNELS } from '@/server/redis/acl-rules';
import { userOf } from '@/server/redis/connection-options';
import { fail, ok, unknown, warn, type Check } from './check';
import { askWhatMayRun, type Invocation } from './may-run';

/** What stands for the rest of a name in a pattern's sample. */
const REST = 'lockscope-probe';
/** A single Redis is never asked for the first; locks work without the last, which `lock debug` looks with. */
const NOT_NEEDED = /^\+(readonly|cluster\|.+|type|hscan)$/;
const KEYLESS =
  /^(ping|info|select|time|script|acl|client|pubsub|scan|hello|unsubscribe|punsubscribe|config)$/;

/** A name that a pattern of ours matches; they have no other glob than `*`. */
const sampleOf = (pattern: string): string =>
  pattern.replaceAll(/\\(.)/g, '$1').replaceAll('*', REST);

function invocationOf(command: string, key: string, channel: string): Invocation {
  const words = command.split('|');
  const [name = ''] = words;
  if (/^(publish|subscribe|psubscribe)$/.test(name)) return [...words, channel];
  if (name.startsWith('eval')) return [name, '', '1', key];
  return KEYLESS.test(name) ? words : [name, key];
}

/** The parts of a rule that the user lacks, as they stand in it; null where it cannot be asked. */
async function missingParts(
  redis: Redis,
  rule: string,
): Promise<{ missing: string[] } | { untold: 'eval' | 'old' }> {
  const parts = rule.split(' ').filter((part) => /^[+~&]/.test(part) && !NOT_NEEDED.test(part));
  const named = (sign: string): string[] =>
    parts.filter((part) => part.startsWith(sign)).map((part) => part.slice(1));
  const [key = REST] = named('~').map(sampleOf);
  const [channel = REST] = named('&').map(sampleOf);
  const asked = parts.map((part): Invocation[] => {
    const name = part.slice(1);
    if (part.startsWith('~'))
      return [
        ['EXISTS', sampleOf(name)],
        ['DEL', sampleOf(name)],
      ];
    if (part.startsWith('&')) return [['PUBLISH', sampleOf(name), '']];
    return [invocationOf(name, key, channel)];
  });
  const answer = await askWhatMayRun(redis, asked);
  return 'untold' in answer ? answer : { missing: parts.filter((_, at) => !answer.may[at]) };
}

/** What the lock client needs, by the rule that it prints itself. */
export const lockPermissions: Check = {
  id: 'permissions',
  run: async ({ redis, settings, prefix }) => {
    const user = userOf(settings.redis.url);
    const rule = aclRule({ user, prefix });
    const answer = await missingParts(redis, rule);
    if ('untold' in answer) {
      return answer.untold === 'eval'
        ? fail(`The user ${user} may not run scripts, which every lock needs.`, rule)
        : unknown('Redis is older than 7.0 and does not tell what a user may do.');
    }
    const { missing } = answer;
    if (missing.length === 0) return ok(`The user ${user} may do all that locks need.`);
    return fail(
      `The user ${user} may not do all that locks need: ${missing.join(' ')}.`,
      `ACL SETUSER ${user} ${missing.join(' ')}`,
    );
  },
};

/** What the console needs to see everything, by capability. */
const TO_LOOK: readonly [what: string, rule: string, needs: readonly Invocation[]][] = [
  [
    'read locks',
    '%R~* +@read',
    [
      ['TYPE', REST],
      ['HSCAN', REST, '0'],
      ['GETRANGE', REST, '0', '1'],
    ],
  ],
  ['find locks', '+scan', [['SCAN', '0']]],
  [
    'be told of changes',
    '+psubscribe &__keyspace@*__:* &__keyevent@*__:*',
    [['PSUBSCRIBE', '__keyspace@*__:*', '__keyevent@*__:*']],
  ],
  ['count waiters', '+pubsub', [['PUBSUB', 'NUMSUB', REST]]],
  ['know the server', '+info +config|get', [['INFO'], ['CONFIG', 'GET', 'databases']]],
  ['see its backlog', '+client|list', [['CLIENT', 'LIST']]],
  [
    'prove that events arrive',
    '%RW~lockscope:canary:* +set +hset +zadd +del +pexpire',
    ['SET', 'HSET', 'ZADD', 'DEL', 'PEXPIRE'].map((name) => [name, `lockscope:canary:${REST}`]),
  ],
  [
    'release locks',
    `${RELEASE_RULES} ${WAKE_CHANNEL_RULE}`,
    [
      ['EVAL', '', '1', REST],
      ...['DEL', 'HDEL', 'SREM', 'ZREM', 'LREM', 'LPOP', 'LPUSH', 'INCRBY', 'XADD'].map((name) => [
        name,
        REST,
      ]),
      ...WAKE_CHANNELS.map((channel) => ['PUBLISH', sampleOf(channel), '']),
    ],
  ],
];

/** What the console could not do as the same user. It may have a user of its own, hence never a failure. */
export const consolePermissions: Check = {
  id: 'console-permissions',
  run: async ({ redis, settings }) => {
    const user = userOf(settings.redis.url);
    const needs = TO_LOOK.map(([, , invocations]) => invocations);
    const answer = await askWhatMayRun(redis, needs);
    if ('untold' in answer) {
      return unknown(`What the console may do as the user ${user} cannot be asked.`);
    }
    const lacking = TO_LOOK.filter((_, at) => !answer.may[at]);
    if (lacking.length === 0)
      return ok(`As the user ${user} the console sees and does everything.`);
    return warn(
      `As the user ${user} the console could not ${lacking.map(([what]) => what).join(', ')}.`,
      `Give it a user of its own, or ACL SETUSER ${user} ${lacking.map(([, rule]) => rule).join(' ')}`,
    );
  },
};
