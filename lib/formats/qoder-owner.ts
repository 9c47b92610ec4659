import { INBOX } from '@/lib/lock/names';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Holder } from './format';

/** A version 8 uuid and a decimal task; a writer of a read-write lock has `:write` behind. */
const OWN_OWNER =
  /^([0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}):(\d{1,20})(:write)?$/;
const OWN_INSTANCE = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;
const WRITER = ':write';

/** Whether this owner is a task of Lockscope's own client: the digit of the uuid's version tells. */
export const isOwnOwner = (owner: Bytes): boolean => owner[14] === '8' && OWN_OWNER.test(owner);

export const isOwnInstance = (text: string): boolean => OWN_INSTANCE.test(text);

/** The instance of an owner of our client; null for any other owner. */
export const ownInstanceOf = (owner: Bytes): string | null =>
  isOwnOwner(owner) ? owner.slice(0, UUID_LENGTH) : null;

/** Where a task of our client hears of grants, wake-ups and revocations; null for any other owner. */
export function inboxOf(owner: Bytes): Bytes | null {
  const instance = ownInstanceOf(owner);
  return instance === null ? null : INBOX + instance;
}

const WISH = /^\d{1,16} (\d{1,16}) ([\s\S]*)$/;
const MAX_BUSINESS_BYTES = 512;

/** What a waiter wrote down when it began to wait. */
export interface Wish {
  /** Epoch ms, by Redis's clock. */
  since: number;
  /** Printable. */
  businessId: string | null;
}

/** Reads `<leaseMs> <since> <business id>`; null for what is none. */
export function readWish(text: Bytes): Wish | null {
  const match = WISH.exec(text);
  if (!match) return null;
  const business = match[2] ?? '';
  return {
    since: Number(match[1]),
    businessId: business === '' ? null : printable(business.slice(0, MAX_BUSINESS_BYTES)),
  };
}

/** The same task, whether it reads or writes: who waits as a writer may hold as a reader. */
export const taskOf = (owner: string): string =>
  owner.endsWith(WRITER) ? owner.slice(0, -WRITER.length) : owner;

/** `<instance>:<task>`, also `<instance>:<task>:write`; a token without a colon names the instance alone. */
export function ownerParts(token: Bytes): Pick<Holder['owner'], 'instance' | 'thread'> {
  const colon = token.indexOf(':');
  if (colon < 0) return { instance: printable(token), thread: null };
  return { instance: printable(token.slice(0, colon)), thread: printable(token.slice(colon + 1)) };
}
