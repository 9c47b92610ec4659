import { shedlock } from '@/lib/formats/shedlock';
import { sentence } from '@/lib/messages/sentence';
import { shellWord } from '@/server/redis/redis-cli';
import { aclRule, infoFields, noInfo, ok, unknown, wrong, type Verdict } from './config-check';
import type { ConfigFacts } from './config-facts';
import { retryOf } from './timeouts';

/** Libraries that ask a majority of independent servers, where they are given several. */
const MAJORITY = /redlock|redsync|pottery|rslock/;

const names = (formats: readonly { name: string }[]): string =>
  formats.map(({ name }) => name).join(', ');

export function oneDb({ locks, target, info, cli }: ConfigFacts): Verdict {
  const [first] = locks.several;
  if (first) {
    const dbs = first.dbs.join(', ');
    return wrong('critical', sentence('one-db:several', { class: first.class, dbs }), {
      evidence: locks.several.map((one) => ({
        name: one.class,
        value: `db ${one.dbs.join(', ')}`,
      })),
      command: 'grep -rn "redis://" --include=*.yaml --include=*.yml --include=*.env .',
    });
  }
  const dbs = target.unwatchedDbs;
  if (dbs.length > 0) {
    const all = [...target.dbs, ...dbs].toSorted((a, b) => a - b);
    return unknown(sentence('one-db:unwatched', { dbs: dbs.join(', ') }), {
      evidence: [{ name: 'watched', value: target.dbs.join(', ') }],
      command: `LOCKSCOPE_DBS=${all.join(',')}`,
    });
  }
  if (info === null)
    return unknown(sentence('one-db:unknown', {}), { command: `${cli} INFO keyspace` });
  return ok(sentence('one-db:ok', {}));
}

export function emptyKeys({ locks, provider }: ConfigFacts): Verdict {
  if (locks.empty) {
    const { count, key } = locks.empty;
    return wrong('critical', sentence('empty-keys:found', { count, key }), {
      evidence: [{ name: 'key', value: key }],
      command: `grep -n lock_key_template ${provider.file}`,
    });
  }
  const constant = provider.lockKeyTemplates.find((template) => !/\$\{[^}]+\}/.test(template));
  if (constant === undefined) return ok(sentence('empty-keys:ok', {}));
  return wrong('warning', sentence('empty-keys:constant', { template: constant }), {
    evidence: [{ name: 'lock_key_template', value: constant }],
    command: `grep -n lock_key_template ${provider.file}`,
  });
}

export function retryDelay({ provider }: Pick<ConfigFacts, 'provider'>): Verdict {
  const { timeoutMs, delayMs, leastMs, file } = retryOf({ config: { provider } });
  const evidence = [
    { name: 'lock_timeout_ms', value: `${timeoutMs}` },
    ...(delayMs === null ? [] : [{ name: 'retry_delay_ms', value: `${delayMs}` }]),
  ];
  const command = `retry_delay_ms: ${leastMs}  # ${file}, section redis-lock-provider`;
  if (delayMs === null) {
    const reason = sentence('retry-delay:unknown', { file, timeoutMs, leastMs });
    return unknown(reason, { evidence, command });
  }
  return delayMs < leastMs
    ? wrong('warning', sentence('retry-delay:short', { delayMs, timeoutMs }), { evidence, command })
    : ok(sentence('retry-delay:ok', { delayMs, timeoutMs }), { evidence });
}

export function independentNodes(facts: ConfigFacts): Verdict {
  const majority = facts.locks.formats.filter(({ id }) => MAJORITY.test(id));
  if (majority.length === 0) return ok(sentence('independent-nodes:unused', {}));
  const library = names(majority);
  const evidence = infoFields(facts, ['run_id', 'role', 'connected_slaves']);
  if (facts.replicas === null) return noInfo(facts, 'server');
  const [replica] = facts.replicas;
  const command = 'redis-cli -h EACH_NODE INFO server | grep run_id';
  return replica
    ? wrong('warning', sentence('independent-nodes:replicated', { library }), {
        evidence,
        command: `${replica.cli} REPLICAOF NO ONE`,
      })
    : unknown(sentence('independent-nodes:unknown', { library }), { evidence, command });
}

export function ownerCheck({ locks }: ConfigFacts): Verdict {
  const unchecked = locks.formats.filter(({ oldHolder }) => oldHolder === 'steals');
  const [only] = unchecked;
  if (!only) return ok(sentence('owner-check:ok', {}));
  const evidence = unchecked.map(({ id, name }) => ({ name: id, value: name }));
  if (unchecked.length === 1 && only.id === shedlock.id) {
    return wrong('warning', sentence('owner-check:shedlock', {}), {
      evidence,
      command: 'new RedisLockProvider.Builder(connectionFactory).safeUpdate(true).build()',
    });
  }
  return wrong('warning', sentence('owner-check:wrong', { libraries: names(unchecked) }), {
    evidence,
  });
}

const NEW_PASSWORD = 'A_LONG_PASSWORD';

export function accessControl({ isOpen, user, cli }: ConfigFacts): Verdict {
  if (isOpen === null) return unknown(sentence('config:not-connected', {}));
  if (!isOpen) return ok(sentence('access-control:ok', {}));
  return wrong('critical', sentence('access-control:open', {}), {
    evidence: [{ name: 'user', value: user }],
    command: `${cli} CONFIG SET requirepass ${NEW_PASSWORD}`,
  });
}

/** Rules of a user that go beyond what the console needs. */
const BROAD =
  /^(?:allcommands|\+@(?:all|admin|dangerous|write|keyspace|scripting)|\+(?:flushall|flushdb|config|acl|shutdown|keys|debug|replicaof|swapdb))$/;
const NEEDED =
  '-@all +@read +@connection +psubscribe +punsubscribe +multi +exec +pubsub +info +config|get +client|list +eval_ro +evalsha_ro +time +set +hset +zadd +del +pexpire';

/** `|` in a rule is no pipe. */
const inShell = (rules: string): string => rules.split(' ').map(shellWord).join(' ');

/** Rules as ACL GETUSER lists them, in order: what is granted and not taken back. */
function broadRules(commands: string): string[] {
  const rules = commands.split(/\s+/);
  const taken = new Set(rules.flatMap((rule) => (rule.startsWith('-') ? `+${rule.slice(1)}` : [])));
  return rules.filter((rule) => BROAD.test(rule) && !taken.has(rule));
}

export function consoleRights({ rights, user, target, cli }: ConfigFacts): Verdict {
  if (!target.nodes.some(({ connected }) => connected)) {
    return unknown(sentence('config:not-connected', {}));
  }
  if (user === 'default') {
    return wrong('info', sentence('console-rights:default', {}), {
      evidence: [{ name: 'user', value: user }],
      command: `${cli} ACL SETUSER lockscope on ">${NEW_PASSWORD}" resetchannels allchannels "%R~*" "%RW~lockscope:canary:*" ${inShell(NEEDED)}`,
    });
  }
  if (!rights) {
    return unknown(sentence('console-rights:unknown', { user }), {
      command: `${cli} ACL GETUSER ${shellWord(user)}`,
    });
  }
  const broad = broadRules(rights.commands);
  const evidence = [{ name: 'commands', value: rights.commands }];
  if (broad.length === 0) return ok(sentence('console-rights:ok', { user }), { evidence });
  return wrong('info', sentence('console-rights:broad', { user, commands: broad.join(' ') }), {
    evidence,
    command: `${cli} ${aclRule({ user: shellWord(user) }, inShell(NEEDED))}`,
  });
}
