import { releaseCall } from '@/lib/formats/release-call';
import type { Bytes } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import type { RawValue } from '@/lib/formats/format';
import type { LockRecord } from '@/server/state/lock-record';
import { cliWord, redisCliAt, scriptWord, shellWord } from '@/server/redis/redis-cli';
import { cutValue } from './release-check';

/** A script is told from other words because it is there to be read before it is run. */
type Word = Bytes | number | { lua: string };

/** The db of a Redis. */
export interface CommandPlace {
  /** Whatever is secret in it stays there. */
  url: string;
  db: number;
}

/** A line to paste into bash. With a NUL byte among the words they go in by standard input. */
export function redisCli({ url, db }: CommandPlace, words: readonly Word[]): string {
  const bytes = words.map((word) => (typeof word === 'object' ? word.lua : String(word)));
  const cli = `${redisCliAt(url)} -n ${db}`;
  if (!bytes.some((word) => word.includes('\0'))) {
    const typed = words.map((word) =>
      typeof word === 'object' ? scriptWord(word.lua) : shellWord(String(word)),
    );
    return `${cli} ${typed.join(' ')}`;
  }
  return `${cli} <<'END'\n${bytes.map(cliWord).join(' ')}\nEND`;
}

const LOOK: Record<RawValue['type'], (key: Bytes) => Word[]> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  zset: (key) => ['ZRANGE', key, 0, -1, 'WITHSCORES'],
  list: (key) => ['LRANGE', key, 0, -1],
  set: (key) => ['TYPE', key],
  stream: (key) => ['TYPE', key],
  other: (key) => ['TYPE', key],
};

/** Look and time to live, for a key that may be gone. */
export const lookCommands = (
  place: CommandPlace,
  key: Bytes,
  type: RawValue['type'],
): LockDetail['commands'] => [
  { purpose: 'look', command: redisCli(place, LOOK[type](key)) },
  { purpose: 'ttl', command: redisCli(place, ['PTTL', key]) },
];

/**
 * What an operator would type instead: look, time to live, and the same guarded release that the console
 * runs, for the value it last read.
 */
export function lockCommands(record: LockRecord, url: string, now: number): LockDetail['commands'] {
  const { db, key, raw, format } = record;
  const place = { url, db };
  const commands = lookCommands(place, key, raw?.type ?? format.type);
  const isWhole = cutValue(record) === null && (raw !== null || record.rawAt > 0);
  const call = record.hold && isWhole && !format.readOnly ? releaseCall(record, now) : null;
  if (call) {
    const { lua, keys, args } = call;
    const words = ['EVAL', { lua }, keys.length, ...keys, ...args];
    commands.push({ purpose: 'release', command: redisCli(place, words) });
  }
  return commands;
}
