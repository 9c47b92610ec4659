import type { Bytes } from '@/lib/protocol/bytes';
import { NOTHING_BESIDE, type BesideKeys, type RawValue } from '@/lib/formats/format';
import { RespError, type RespValue } from '@/server/redis/resp-reader';
import type { KeyContent, QueueEntry } from './read-script';

/** Strings of a flat reply; anything else in it is dropped (Redis sends nothing else there). */
function texts(reply: RespValue | undefined): Bytes[] {
  return Array.isArray(reply) ? reply.filter((item) => typeof item === 'string') : [];
}

function pairs<T>(flat: readonly Bytes[], second: (text: Bytes) => T): [Bytes, T][] {
  const out: [Bytes, T][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) out.push([flat[i] ?? '', second(flat[i + 1] ?? '')]);
  return out;
}

/**
 * The value of a key as RawValue. `flat` is fields and values, or members and scores, or the end of a string
 * that was cut.
 */
export function rawValue(
  type: string,
  size: number,
  content: { text: Bytes; flat: readonly Bytes[] },
): RawValue | null {
  // The names of types are written out, so that all values share one string instead of the one in each reply.
  switch (type) {
    case 'none':
      return null;
    case 'string':
      return size > content.text.length
        ? {
            type: 'string',
            bytes: content.text,
            size,
            truncated: true,
            tail: content.flat[0] ?? '',
          }
        : { type: 'string', bytes: content.text, size, truncated: false };
    case 'hash': {
      const fields = pairs(content.flat, (text) => text);
      return { type: 'hash', fields, size, truncated: size > fields.length };
    }
    case 'zset': {
      const members = pairs(content.flat, scoreOf);
      return { type: 'zset', members, size, truncated: size > members.length };
    }
    case 'list':
      return {
        type: 'list',
        items: [...content.flat],
        size,
        truncated: size > content.flat.length,
      };
    case 'set':
      return {
        type: 'set',
        members: [...content.flat],
        size,
        truncated: size > content.flat.length,
      };
    case 'stream':
      return { type: 'stream', size, truncated: true };
    default:
      return { type: 'other', size, truncated: true };
  }
}

/** Redis writes a score without end as `inf` or `-inf`. */
const scoreOf = (score: Bytes): number => Number(score.replace('inf', 'Infinity'));

const deadlineOf = (score: Bytes): number | null => (score === '' ? null : scoreOf(score));

/** Owners and their deadlines out of owner, score, owner, score… */
export const deadlinesOf = (flat: readonly Bytes[]): Map<Bytes, number | null> =>
  new Map(pairs(flat, deadlineOf));

/** Out of owner, score, wish, owner, score, wish… */
function queueOf(flat: readonly Bytes[]): QueueEntry[] {
  const queue: QueueEntry[] = [];
  for (let i = 0; i + 2 < flat.length; i += 3) {
    const wish = flat[i + 2] ?? '';
    const entry = { owner: flat[i] ?? '', deadline: deadlineOf(flat[i + 1] ?? '') };
    queue.push(wish === '' ? entry : { ...entry, wish });
  }
  return queue;
}

/** `{type, pttl, size, content}` as a value and its time to live; null for any other reply. */
function valueOf(reply: RespValue | undefined) {
  if (!Array.isArray(reply)) return null;
  const [type, pttl, size, content] = reply;
  if (typeof type !== 'string') return null;
  const cutString = type === 'string' ? texts(content) : [];
  const text = typeof content === 'string' ? content : (cutString[0] ?? '');
  const flat = type === 'string' ? cutString.slice(1) : texts(content);
  return {
    value: rawValue(type, Number(size), { text, flat }),
    pttl: typeof pttl === 'number' && pttl >= 0 ? pttl : null,
  };
}

function besideOf(reply: RespValue | undefined, keys: readonly Bytes[]): BesideKeys {
  if (!Array.isArray(reply) || keys.length === 0) return NOTHING_BESIDE;
  const found = new Map<Bytes, { value: RawValue | null; pttl: number | null }>();
  keys.forEach((key, i) => {
    const value = valueOf(reply[i]);
    if (value) found.set(key, value);
  });
  return found;
}

/**
 * One element of the script's reply, `beside` being the keys that were asked for beside it. A RespError is what
 * reading this key was answered with.
 */
export function decodeScriptResult(
  reply: RespValue,
  beside: readonly Bytes[] = [],
): KeyContent | RespError {
  if (reply instanceof RespError) return reply;
  if (!Array.isArray(reply)) return new RespError(String(reply).slice(1));
  const own = valueOf(reply);
  if (!own) return new RespError('ERR unexpected reply of the read script');
  const [, , , , queue, fence, besideReply, idle] = reply;
  return {
    ...own,
    queue: Array.isArray(queue) ? queueOf(texts(queue)) : null,
    fence: typeof fence === 'string' ? fence : null,
    beside: besideOf(besideReply, beside),
    idleSeconds: typeof idle === 'number' ? idle : null,
  };
}
