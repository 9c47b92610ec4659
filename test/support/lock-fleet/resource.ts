import type { Redis } from 'ioredis';

/**
 * What the locks of a fleet protect: for each lock's name one place that a hold enters and leaves with its
 * fence. It refuses fences below the newest one, and writes down what a working lock makes impossible.
 * It is spoken to on a Redis of its own, so that what happens to the locks' Redis does not touch it.
 */
export interface Resource {
  enter: (name: string, hold: Hold) => Promise<Answer>;
  /** Ends the section. */
  leave: (name: string, hold: Hold) => Promise<Answer>;
  /** Writes down a broken promise. */
  accuse: (sentence: string) => Promise<void>;
  count: (what: Counted) => Promise<void>;
  read: () => Promise<Record>;
}

export interface Hold {
  fence: number;
  /** Unique in the run. */
  id: string;
  /** Name of the process, unique in the run. */
  process: string;
  worker: string;
}

/**
 * `older`: a newer fence was here before, the write was refused. `twice`: another hold has shown the very same
 * fence, which was refused too.
 */
export type Answer = 'accepted' | 'older' | 'twice';

export type Counted = 'refused' | 'lost' | 'timedOut' | 'aborted' | 'missed' | 'gaveUp';

/** Somebody entered while another hold had not left. Times are epoch ms. */
export interface Overtaking {
  name: string;
  process: string;
  hold: string;
  enteredAt: number;
  by: string;
  at: number;
}

export interface Record {
  sections: number;
  /** Sections of each worker. */
  workers: Map<string, number>;
  counts: Partial<globalThis.Record<Counted, number>>;
  overtakings: Overtaking[];
  accusations: string[];
}

/** KEYS: place, overtakings. ARGV: fence, hold, process, name. Returns an {@link Answer}. */
const ENTER = `
local last = tonumber(redis.call('HGET', KEYS[1], 'fence') or '-1')
local fence = tonumber(ARGV[1])
if fence < last then return 'older' end
if fence == last and redis.call('HGET', KEYS[1], 'hold') ~= ARGV[2] then return 'twice' end
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local place = redis.call('HMGET', KEYS[1], 'inside', 'hold', 'process', 'at')
if place[1] == '1' then
  redis.call('RPUSH', KEYS[2], cjson.encode({
    name = ARGV[4], hold = place[2], process = place[3], enteredAt = tonumber(place[4]),
    by = ARGV[2], at = at }))
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'hold', ARGV[2], 'process', ARGV[3], 'at', at, 'inside', '1')
return 'accepted'`;

/** KEYS: place, counts, workers. ARGV: fence, hold, worker. Returns an {@link Answer}. */
const LEAVE = `
local last = tonumber(redis.call('HGET', KEYS[1], 'fence') or '-1')
if tonumber(ARGV[1]) < last then return 'older' end
if redis.call('HGET', KEYS[1], 'hold') ~= ARGV[2] then return 'twice' end
redis.call('HSET', KEYS[1], 'inside', '0')
redis.call('HINCRBY', KEYS[2], 'sections', 1)
redis.call('HINCRBY', KEYS[3], ARGV[3], 1)
return 'accepted'`;

const COUNTS = 'counts';
const WORKERS = 'workers';
const OVERTAKINGS = 'overtakings';
const ACCUSATIONS = 'accusations';
const placeOf = (name: string): string => `place:${name}`;

/** The scripts above return nothing else. */
const asAnswer = (value: unknown): Answer => value as Answer;

async function readRecord(redis: Redis): Promise<Record> {
  const { sections = '0', ...counts } = await redis.hgetall(COUNTS);
  const workers = await redis.hgetall(WORKERS);
  const overtakings = await redis.lrange(OVERTAKINGS, 0, -1);
  return {
    sections: Number(sections),
    workers: new Map(Object.entries(workers).map(([worker, count]) => [worker, Number(count)])),
    counts: Object.fromEntries(Object.entries(counts).map(([what, n]) => [what, Number(n)])),
    overtakings: overtakings.map((text) => JSON.parse(text) as Overtaking),
    accusations: await redis.lrange(ACCUSATIONS, 0, -1),
  };
}

export function createResource(redis: Redis): Resource {
  return {
    enter: async (name, { fence, id, process }) => {
      const keys = [placeOf(name), OVERTAKINGS];
      return asAnswer(await redis.eval(ENTER, 2, ...keys, fence, id, process, name));
    },
    leave: async (name, { fence, id, worker }) => {
      const keys = [placeOf(name), COUNTS, WORKERS];
      return asAnswer(await redis.eval(LEAVE, 3, ...keys, fence, id, worker));
    },
    accuse: async (sentence) => void (await redis.rpush(ACCUSATIONS, sentence)),
    count: async (what) => void (await redis.hincrby(COUNTS, what, 1)),
    read: async () => await readRecord(redis),
  };
}
