import { printable, type Bytes } from '@/lib/protocol/bytes';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { Holder, RawValue, RecogniseContext } from './format';

/** A uuid as a part of a longer expression. */
export const UUID_SOURCE =
  '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** A uuid of any version: client libraries exist that set no version nibble. */
export const UUID = new RegExp(`^${UUID_SOURCE}$`);
/** A random uuid: version 4, variant 1. */
export const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** `<uuid>:<integer>` with an optional suffix: Redisson's holder and BullMQ's token. */
export const UUID_NUMBER = new RegExp(`^(${UUID_SOURCE}):(-?\\d{1,20})(:[\\s\\S]+)?$`);
export const UUID_UUID = new RegExp(`^(${UUID_SOURCE}):(${UUID_SOURCE})$`);
export const HEX_32 = /^[0-9a-f]{32}$/;

/** A word of the name says that it is a lock's: `order-lock`, `lock:…`, `leaderLock`. */
const LOCK_WORD =
  /(?:^|[^A-Za-z])(?:[Ll]ocks?|LOCKS?|[Mm]utex|MUTEX|[Ss]emaphore|[Ll]eader)(?:[^a-z]|$)|[a-z](?:Lock|Mutex)(?:[^a-z]|$)/;

/** Whether a name that any key may have gives itself out as a lock's. */
export const namesLock = (key: Bytes): boolean => LOCK_WORD.test(key);
const INTEGER = /^-?\d{1,15}$/;

/** Whether a key is known to have a time to live: locks have, and most data of the same shape has not. */
export const expires = ({ pttl }: RecogniseContext): boolean => pttl !== null && pttl !== undefined;

/** The whole string value, or null when it is of another type or was cut. */
export function wholeString(value: RawValue | null): Bytes | null {
  return value?.type === 'string' && !value.truncated ? value.bytes : null;
}

/** The count in a reentrant lock's hash field; null when the field holds something else. */
export function reentryCount(text: Bytes): number | null {
  return INTEGER.test(text) ? Number(text) : null;
}

/** A holder of whom only the token is known; `parts` adds what the format tells. */
export function holderOf(
  token: Bytes,
  parts: Partial<Holder['owner']> = {},
  rest: Partial<Holder> = {},
): Holder {
  return {
    token,
    owner: {
      id: token === '' ? '(empty)' : printable(token),
      instance: null,
      thread: null,
      host: null,
      ip: null,
      pid: null,
      app: null,
      ...parts,
    },
    depth: 1,
    tokenTime: null,
    deadline: null,
    stale: false,
    ...rest,
  };
}

/** Somebody holds it, and nothing says who. */
export const unnamedHolder = (rest: Partial<Holder> = {}): Holder =>
  holderOf('', { id: NO_OWNER_ID }, rest);

/** What a string lock's value says: one holder, or a contradiction when it is no string. */
export function decodeString(value: RawValue, read: (token: Bytes) => Holder) {
  if (value.type !== 'string') {
    return { holders: [], broken: 'key is used for something else', fence: null };
  }
  const holder = read(value.bytes);
  // A value that was cut is told from others of its beginning by its size and its end.
  const token = value.truncated
    ? `${value.bytes}\0${value.size}\0${value.tail ?? ''}`
    : value.bytes;
  return { holders: [{ ...holder, token }], broken: null, fence: null };
}

export const NO_COMPANIONS = { queue: null, channels: [] };
