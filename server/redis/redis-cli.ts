import type { Bytes } from '@/lib/protocol/bytes';

const SAFE_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;
const PRINTABLE = /^[\x20-\x7e]*$/;
const DEFAULT_PORT = '6379';

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
export function shellWord(bytes: Bytes): string {
  if (SAFE_WORD.test(bytes)) return bytes;
  if (PRINTABLE.test(bytes) && !bytes.includes("'")) return `'${bytes}'`;
  return `$'${bytes.replace(/[^\x20\x22-\x26\x28-\x5b\x5d-\x7e]/g, escapeCharacter)}'`;
}

/** A script as one word for bash, line by line as it was written. */
export const scriptWord = (lua: string): string =>
  `$'${lua.replace(/[^\n\x20\x22-\x26\x28-\x5b\x5d-\x7e]/g, escapeCharacter)}'`;

/** One word for redis-cli's own parser, which reads `\xHH` between double quotes. */
export const cliWord = (bytes: Bytes): string =>
  `"${bytes.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, escapeByte)}"`;

/** `host` without brackets, also of IPv6. */
const named = (host: string, port: string, isTls: boolean): string =>
  `redis-cli -h ${shellWord(host)} -p ${shellWord(port)}${isTls ? ' --tls' : ''}`;

const isTlsUrl = (url: string): boolean => url.startsWith('rediss:');

/** The socket of a URL that names one (`/run/redis.sock`, `unix:///run/redis.sock`), or null. */
function socketOf(url: string): string | null {
  if (url.startsWith('/')) return url.split('?')[0] ?? null;
  return /^[a-z+]*unix:/.test(url) ? decodeURIComponent(new URL(url).pathname) : null;
}

/**
 * `redis-cli` for the server of that URL, to paste into a shell. Never with a user or a password: whoever pastes it
 * brings his own (`REDISCLI_AUTH`).
 */
export function redisCliAt(url: string): string {
  const socket = socketOf(url);
  if (socket !== null) return `redis-cli -s ${shellWord(socket)}`;
  const { hostname, port } = URL.canParse(url) ? new URL(url) : { hostname: '', port: '' };
  const host = hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  return named(host, port || DEFAULT_PORT, isTlsUrl(url));
}

/** The same for a replica of the server of that URL. */
export const redisCliOfReplica = (
  url: string,
  { host, port }: { host: string; port: string },
): string => named(host, port, isTlsUrl(url));
