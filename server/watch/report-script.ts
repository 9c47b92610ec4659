import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import { isRefusal } from '@/server/redis/redis-error';
import type { StreamEntry } from './report-entry';

/** A report has a dozen short values; what is longer was written by somebody else. */
const MAX_FIELDS = 40;
const MAX_VALUE_BYTES = 4096;
/** Without a script whole entries come over, however large: then few at once. */
const PLAIN_ENTRIES = 50;

export interface StreamPage {
  /** Oldest first. */
  entries: StreamEntry[];
  /** As many as were asked for: there may be more. */
  isFull: boolean;
  /** Redis's time at the read, epoch ms; null where it may not be asked. */
  serverAt: number | null;
}

/**
 * KEYS: the stream. ARGV: the id to begin with (itself included), or nothing for the newest entries; how many.
 * Returns `{time, {id, fields}, …}` in the order asked; entries too large for a report come without fields.
 */
const PAGE_SCRIPT = `
local entries
if ARGV[1] == '' then entries = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[2])
else entries = redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2]) end
local timed, time = pcall(redis.call, 'TIME')
local out = {timed and math.floor(time[1] * 1000 + time[2] / 1000) or -1}
for _, entry in ipairs(entries) do
  local fields = entry[2]
  local fits = #fields <= ${MAX_FIELDS}
  for i = 1, fits and #fields or 0 do
    if #fields[i] > ${MAX_VALUE_BYTES} then fits = false end
  end
  out[#out + 1] = {entry[1], fits and fields or {}}
end
return out
`;

const bin = (bytes: Bytes): Buffer => Buffer.from(bytes, 'latin1');
const text = (item: unknown): Bytes => (Buffer.isBuffer(item) ? item.toString('latin1') : '');

function entryOf(item: unknown): StreamEntry {
  const [id, fields] = Array.isArray(item) ? item : [];
  return { id: text(id), fields: Array.isArray(fields) ? fields.map(text) : [] };
}

/** Reads a page of a stream from `from` on (itself included), or the newest entries when `from` is null. */
export async function readPage(
  redis: Redis,
  key: Bytes,
  { from, count }: { from: string | null; count: number },
): Promise<StreamPage> {
  for (const command of ['EVAL_RO', 'EVAL']) {
    const page = await readByScript(redis, key, { command, from, count });
    if (page) return page;
  }
  return await readPlainly(redis, key, { from, count: Math.min(count, PLAIN_ENTRIES) });
}

/** Null where that command is forbidden or not known. */
async function readByScript(
  redis: Redis,
  key: Bytes,
  { command, from, count }: { command: string; from: string | null; count: number },
): Promise<StreamPage | null> {
  try {
    const reply = await redis.callBuffer(command, [PAGE_SCRIPT, 1, bin(key), from ?? '', count]);
    const [time, ...items] = Array.isArray(reply) ? reply : [];
    const serverAt = typeof time === 'number' && time > 0 ? time : null;
    const entries = inOrder(items.map(entryOf), from);
    return { entries, isFull: items.length === count, serverAt };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

const inOrder = (entries: StreamEntry[], from: string | null): StreamEntry[] =>
  from === null ? entries.toReversed() : entries;

async function readPlainly(
  redis: Redis,
  key: Bytes,
  { from, count }: { from: string | null; count: number },
): Promise<StreamPage> {
  const [command, ...range] = from === null ? ['XREVRANGE', '+', '-'] : ['XRANGE', from, '+'];
  const reply = await redis.callBuffer(command ?? '', [bin(key), ...range, 'COUNT', count]);
  const entries = Array.isArray(reply) ? reply.map(entryOf) : [];
  return { entries: inOrder(entries, from), isFull: entries.length === count, serverAt: null };
}
