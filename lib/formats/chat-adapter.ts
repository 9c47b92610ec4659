import type { Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, Holder, LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'chat-sdk:lock:';
const QUEUE_PREFIX = 'chat-sdk:queue:';
/** `redis_<epoch ms>_<base 36>`: the time is that of the attempt which took the lock. */
const TOKEN = /^redis_(\d{13})_[0-9a-z]{1,16}$/;
/** More of them are not counted. */
const MOST_MESSAGES = 1000;

/** `PREFIX:queue:THREAD` beside `PREFIX:lock:THREAD`; null when the name is of another form. */
function queueOf(key: Bytes): Bytes | null {
  const at = key.indexOf(':lock:');
  return at < 1 ? null : `${key.slice(0, at)}:queue:${key.slice(at + ':lock:'.length)}`;
}

function readHolder(token: Bytes): Holder {
  const [, at] = TOKEN.exec(token) ?? [];
  return at === undefined
    ? holderOf(token)
    : holderOf(token, {}, { tokenTime: { at: Number(at), means: 'taken' } });
}

/** The messages that wait for the thread: their number alone, for their content is people's talk. */
function messagesIn(queue: Bytes | null, beside: BesideKeys | undefined): Holder[] {
  const value = queue === null ? null : beside?.get(queue)?.value;
  const count = value?.type === 'list' ? Math.min(value.size, MOST_MESSAGES) : 0;
  return Array.from({ length: count }, (_, i) => holderOf(`(message ${i + 1})`));
}

const hasItsToken = (value: Parameters<typeof wholeString>[0]): boolean =>
  TOKEN.test(wholeString(value) ?? '');

/** @chat-adapter/state-redis: one conversation at a time, and a list of the messages that came meanwhile. */
export const chatAdapter: LockFormat = {
  ...STRING_LOCK,
  id: 'chat-adapter',
  name: '@chat-adapter/state-redis',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value) => {
    if (hasItsToken(value)) return { certainty: 'certain', because: { id: 'redis-epoch' } };
    if (value?.type !== 'string' || !key.startsWith(PREFIX)) return null;
    return { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } };
  },
  beside: (key, value) => {
    const queue = key.startsWith(PREFIX) || hasItsToken(value) ? queueOf(key) : null;
    return queue === null ? [] : [queue];
  },
  decode: (key, value, { beside }) => ({
    ...decodeString(value, readHolder),
    waiters: messagesIn(queueOf(key), beside),
  }),
  sideKeys: {
    prefixes: [QUEUE_PREFIX],
    head: QUEUE_PREFIX,
    read: (key) =>
      key.startsWith(QUEUE_PREFIX) ? { parent: PREFIX + key.slice(QUEUE_PREFIX.length) } : null,
  },
  expiry: 'always',
  renewal: 'expire',
  waiters: 'beside',
  releaseNotes: ['release-deletes', 'release-silent', 'messages-wait'],
};
