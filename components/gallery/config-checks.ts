import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { ConfigCheck } from '@/lib/protocol/advice';
import type { Sentence } from '@/lib/protocol/sentence';

const aCheck = (
  judged: Pick<ConfigCheck, 'id' | 'state' | 'severity'>,
  said: Sentence,
  more: Partial<ConfigCheck> = {},
): ConfigCheck => ({
  ...judged,
  ...{ reason: inEnglish([said]), sentences: [said], evidence: [], command: null },
  ...more,
});

/** One of each state and severity, with long commands and long values. */
export const configChecksSample = (): ConfigCheck[] => [
  aCheck(
    { id: 'eviction', state: 'wrong', severity: 'critical' },
    sentence('eviction:volatile', { policy: 'volatile-lru' }),
    {
      evidence: [
        { name: 'maxmemory_policy', value: 'volatile-lru' },
        { name: 'maxmemory', value: '209715200' },
      ],
      command: 'redis-cli -h 10.0.0.7 -p 6379 CONFIG SET maxmemory-policy noeviction',
    },
  ),
  aCheck(
    { id: 'persistence', state: 'wrong', severity: 'warning' },
    sentence('persistence:snapshots', { ageMs: 3_600_000 }),
    {
      evidence: [{ name: 'save', value: '3600 1 300 100 60 10000' }],
      command: 'redis-cli -h 10.0.0.7 -p 6379 CONFIG SET appendonly yes appendfsync always',
    },
  ),
  aCheck(
    { id: 'console-rights', state: 'wrong', severity: 'info' },
    sentence('console-rights:broad', { user: 'lockscope', commands: '+@all' }),
    {
      evidence: [{ name: 'commands', value: '+@all' }],
      command:
        'redis-cli -h 10.0.0.7 -p 6379 ACL SETUSER lockscope -@all +@read +@connection +psubscribe +punsubscribe +multi +exec +pubsub',
    },
  ),
  aCheck(
    { id: 'replica-notifications', state: 'unknown', severity: null },
    sentence('replica-notifications:unknown', { address: '10.0.0.7:6379' }),
    {
      evidence: [{ name: '10.0.0.7:6379', value: '?' }],
      command: 'redis-cli -h 10.0.0.7 -p 6379 CONFIG GET notify-keyspace-events',
    },
  ),
  aCheck({ id: 'one-db', state: 'ok', severity: null }, sentence('one-db:ok', {})),
];
