import type { Redis } from 'ioredis';
import { z } from 'zod';
import { adviceKey, DEFAULT_PREFIX, limitKey, reportsKey } from '@/lib/lock/names';
import { said } from '@/lib/messages/in-english';
import type { PublishedLease } from '@/lib/protocol/advice';
import { bytesFromText } from '@/lib/protocol/bytes';
import { isCodedError } from '@/lib/protocol/errors';
import type { Said } from '@/lib/protocol/sentence';
import { userOf } from '@/server/redis/connection-options';
import { isRefusal } from '@/server/redis/redis-error';
import type { ClassName } from './advice-sample';
import { redisCli } from './lock-commands';
import { bytesFromPrintable } from './printed-key';
import type { ServerContext } from './query-context';

/** Kind of the documents that say what this console has published. */
const DOCUMENT = 'published-lease';
const PublishedDocument = z.object({
  db: z.number().int(),
  hash: z.string(),
  field: z.string(),
  leaseMs: z.number().int(),
});

export type LeasePlace = Omit<PublishedLease, 'leaseMs'>;

export const placeId = ({ db, hash, field }: LeasePlace): string => `${db}\n${hash}\n${field}`;

/** What is in the hashes that lock clients read. */
export interface Published {
  /** By `placeId`. */
  leases: ReadonlyMap<string, number>;
  /** Where the clients of a class read its lease. */
  placesOf: (name: ClassName, dbs: Iterable<number>) => LeasePlace[];
  /** Null = read. */
  unreadable: Said | null;
}

/** A class as a lock client names it, `order_sync:*`: without the usual prefix. */
const nameOf = (lockClass: string): string =>
  lockClass.startsWith(DEFAULT_PREFIX) ? lockClass.slice(DEFAULT_PREFIX.length) : lockClass;

/** What this console has published of what is recommended, as far as it is remembered. */
export async function publishedBefore({ store }: ServerContext): Promise<PublishedLease[]> {
  const documents = await store.documents(DOCUMENT);
  return documents.flatMap(({ value }) => {
    const parsed = PublishedDocument.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}

export const rememberPublished = (
  { store }: ServerContext,
  lease: PublishedLease,
): Promise<number> => store.saveDocument({ kind: DOCUMENT, id: placeId(lease), value: lease });

export const forgetPublished = ({ store }: ServerContext, place: LeasePlace): Promise<void> =>
  store.removeDocument(DOCUMENT, placeId(place));

/** What must be granted so that leases can be published; `rule` for ACL SETUSER. */
export const publishRule = ({ config }: ServerContext): string =>
  `ACL SETUSER ${userOf(config.redis.url)} ~lockscope:* +eval +hset +hget +hdel`;

const readRule = ({ config }: ServerContext): string =>
  `ACL SETUSER ${userOf(config.redis.url)} %R~lockscope:* +hgetall +exists`;

interface Hash {
  db: number;
  namespace: string;
}

/** Each hash's fields, and whether a client of that namespace was ever there. */
async function readHashes(
  redis: Redis,
  hashes: readonly Hash[],
): Promise<{ fields: Record<string, string>; isUsed: boolean }[]> {
  const pipeline = redis.pipeline();
  for (const { namespace } of hashes) {
    const key = adviceKey(namespace);
    // One key to a command: in a cluster they lie in different slots.
    pipeline.hgetall(key).exists(key);
    pipeline.exists(reportsKey(namespace)).exists(limitKey(namespace));
  }
  const replies = (await pipeline.exec()) ?? [];
  const perHash = 4;
  return hashes.map((_hash, i) => {
    const [fields, ...used] = replies.slice(perHash * i, perHash * (i + 1));
    const [error] = [fields, ...used].flatMap((reply) => reply?.[0] ?? []);
    if (error && !error.message.startsWith('WRONGTYPE')) throw error;
    return {
      fields: toFields(fields?.[1]),
      isUsed: used.some(([, count]) => Number(count) > 0),
    };
  });
}

const toFields = (reply: unknown): Record<string, string> =>
  typeof reply === 'object' && reply !== null
    ? Object.fromEntries(Object.entries(reply).map(([name, value]) => [name, String(value)]))
    : {};

/** Where clients read a lease: the hash of their namespace, where the first segment of the name is one that they use. */
function placesIn(isUsed: (hash: Hash) => boolean): Published['placesOf'] {
  return ({ class: lockClass, namespace }, dbs) => {
    const name = nameOf(lockClass);
    const rest = name.slice(namespace.length + 1);
    const mayBeNamespaced = namespace !== '' && name.startsWith(`${namespace}:`) && rest !== '';
    return [...dbs].map((db) =>
      mayBeNamespaced && isUsed({ db, namespace })
        ? { db, hash: adviceKey(namespace), field: rest }
        : { db, hash: adviceKey(''), field: name },
    );
  };
}

/**
 * Reads the hashes of these namespaces in these dbs. Never throws for what Redis refuses or does not answer: then it
 * says why nothing is known.
 */
export async function readPublished(
  context: ServerContext,
  namespaces: Iterable<string>,
  dbs: Iterable<number>,
): Promise<Published> {
  const leases = new Map<string, number>();
  const used = new Set<string>();
  const isUsed = ({ db, namespace }: Hash): boolean => used.has(`${db}\n${namespace}`);
  const names = new Set(['', ...namespaces]);
  try {
    for (const db of new Set(dbs)) {
      const hashes = [...names].map((namespace) => ({ db, namespace }));
      const read = await readHashes(await context.watch.commandConnection(db), hashes);
      for (const [i, { fields, isUsed: isThere }] of read.entries()) {
        const namespace = hashes[i]?.namespace ?? '';
        if (isThere) used.add(`${db}\n${namespace}`);
        for (const [field, text] of Object.entries(fields)) {
          const place = { db, hash: adviceKey(namespace), field };
          if (Number.isFinite(Number(text))) leases.set(placeId(place), Math.ceil(Number(text)));
        }
      }
    }
    return { leases, placesOf: placesIn(isUsed), unreadable: null };
  } catch (error) {
    return { leases, placesOf: placesIn(isUsed), unreadable: whyUnreadable(context, error) };
  }
}

function whyUnreadable(context: ServerContext, error: unknown): Said {
  if (isRefusal(error)) return said('publish:unreadable', { rule: readRule(context) });
  if (isCodedError(error)) return said('publish:unreachable', {});
  const because = error instanceof Error ? error.message : String(error);
  return said('publish:unread', { error: because });
}

/** What publishing does, for bash: namespaces and classes are whatever somebody named a key. */
export const publishLine = (url: string, { db, hash, field, leaseMs }: PublishedLease): string =>
  redisCli({ url, db }, ['HSET', bytesFromText(hash), bytesFromPrintable(field), leaseMs]);

/** The field's bytes, as a client in any language reads them. */
export const fieldBytes = (field: string): Buffer =>
  Buffer.from(bytesFromPrintable(field), 'latin1');
