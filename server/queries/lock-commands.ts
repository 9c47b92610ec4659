import { releaseCall } from '@/lib/formats/release-call';
import type { Bytes } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import type { RawValue } from '@/lib/formats/format';
import type { LockRecord } from '@/server/state/lock-record';
import { cutValue } from './release-check';

/** A script is told from other words because it is there to be read before it is run. */
type Word = Bytes | number | { lua: string };

const SAFE_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

const escapeByte = (character: string): string =>
  `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

const SHORT_ESCAPES: Record<string, string> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  "'": "\\'",
  '\\': '\\\\',
};

/** Inside `$'…'`. */
const escapeCharacter = (character: string): string =>
  SHORT_ESCAPES[character] ?? escapeByte(character);

/** One word for bash: bare, in single quotes, or `$'…'`. Cannot carry a NUL byte: no argument can. */
function shellWord(bytes: Bytes): string {
  if (SAFE_WORD.test(bytes)) return bytes;
  if (PRINTABLE.test(bytes) && !bytes.includes("'")) return `'${bytes}'`;
  return `$'${bytes.replace(/[^\x20\x22-\x26\x28-\x5b\x5d-\x7e]/g, escapeCharacter)}'`;
}

/** A script as one word for bash, line by line as it was written. */
const scriptWord = (lua: string): string =>
  `$'${lua.replace(/[^\n\x20\x22-\x26\x28-\x5b\x5d-\x7e]/g, escapeCharacter)}'`;

/** One word for redis-cli's own parser, which reads `\xHH` between double quotes. */
const cliWord = (bytes: Bytes): string =>
  `"${bytes.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, escapeByte)}"`;

/** A line to paste into bash. With a NUL byte among the words they go in by standard input. */
export function redisCli(db: number, words: readonly Word[]): string {
  const bytes = words.map((word) => (typeof word === 'object' ? word.lua : String(word)));
  const cli = `redis-cli -n ${db}`;
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
  db: number,
  key: Bytes,
  type: RawValue['type'],
): LockDetail['commands'] => [
  { purpose: 'look', command: redisCli(db, LOOK[type](key)) },
  { purpose: 'ttl', command: redisCli(db, ['PTTL', key]) },
];

/**
 * What an operator would type instead: look, time to live, and the same guarded release that the console
 * runs, for the value it last read.
 */
export function lockCommands(record: LockRecord, now: number): LockDetail['commands'] {
  const { db, key, raw, format } = record;
  const commands = lookCommands(db, key, raw?.type ?? format.type);
  const isWhole = cutValue(record) === null && (raw !== null || record.rawAt > 0);
  const call = record.hold && isWhole && !format.readOnly ? releaseCall(record, now) : null;
  if (call) {
    const { lua, keys, args } = call;
    const words = ['EVAL', { lua }, keys.length, ...keys, ...args];
    commands.push({ purpose: 'release', command: redisCli(db, words) });
  }
  return commands;
}
