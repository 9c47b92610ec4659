import { said } from '@/lib/messages/in-english';
import type { Said } from '@/lib/protocol/sentence';
import { Redis, type RedisOptions } from 'ioredis';
import { CodedError } from '@/lib/protocol/errors';

const CONNECT_TIMEOUT_MS = 3_000;
/** From the first byte sent to the end of AUTH, HELLO and SELECT. */
const ANSWER_TIMEOUT_MS = 5_000;
const MAX_RETRY_DELAY_MS = 1_000;
/** Verbs and sweeps are short; a reply that takes longer means a hung server. */
const COMMAND_TIMEOUT_MS = 10_000;

/** The name that every connection of ours carries in CLIENT LIST. */
export const CONNECTION_NAME = 'lockscope';

/** `host:port` or socket path, for people: without credentials. */
export function displayAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  return `${parsed.hostname || '127.0.0.1'}:${parsed.port || '6379'}`;
}

/** User named in the URL; Redis calls the user of a connection without one `default`. */
export function userOf(url: string): string {
  const name = URL.canParse(url) ? decodeURIComponent(new URL(url).username) : '';
  return name === '' ? 'default' : name;
}

export function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== '';
}

/** ioredis lets the path of the URL win over `db`, and we open several dbs of one URL. */
function withoutDb(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.hostname !== '') parsed.pathname = '';
  return parsed.toString();
}

function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  return parsed.toString();
}

const retryStrategy = (times: number): number => Math.min(times * 50, MAX_RETRY_DELAY_MS);

const base: RedisOptions = {
  lazyConnect: true,
  enableReadyCheck: false,
  autoResubscribe: false,
  // A command whose fate is unknown must never run twice.
  autoResendUnfulfilledCommands: false,
  connectionName: CONNECTION_NAME,
  disableClientInfo: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  retryStrategy,
};

/** The client whose socket becomes the event connection: nothing is ever sent through ioredis itself. */
export function createEventClient(url: string, db: number): Redis {
  return new Redis(withoutDb(url), { ...base, db, enableOfflineQueue: false });
}

export function createCommandClient(url: string, db: number): Redis {
  return new Redis(withoutDb(url), {
    ...base,
    db,
    // Commands fail with the connection instead of waiting for the next one.
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
}

/** For a trace: two of them, one that is told of all commands and one that measures. Neither comes back by itself. */
export function createTraceClient(url: string): Redis {
  return new Redis(withoutDb(url), {
    ...base,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  });
}

/** Whether the server answers somebody who gives no password. Opens and closes one connection. */
export async function answersWithoutPassword(url: string): Promise<boolean> {
  const client = new Redis(withoutCredentials(withoutDb(url)), { ...base, retryStrategy: null });
  client.on('error', () => {
    // A refusal is the expected answer here; `connect` or `ping` rejects with it.
  });
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch {
    // Refused or unreachable: in both cases nobody got in without a password.
    return false;
  } finally {
    // ioredis would keep the process alive for two seconds to see a connection end that has ended.
    if (client.status !== 'end') client.disconnect();
  }
}

/** The coded form of a failure to connect, in one sentence that says what to check. */
export function unavailable(url: string, error: unknown): CodedError {
  const sentence = sentenceFor(displayAddress(url), userOf(url), error);
  return new CodedError('TARGET_UNAVAILABLE', sentence, detailsOf(error));
}

function detailsOf(error: unknown): Record<string, boolean> | undefined {
  if (isNoSuchDb(error)) return { noSuchDb: true };
  return isAboutCredentials(messageOf(error)) ? { credentials: true } : undefined;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const isAboutCredentials = (text: string): boolean =>
  /WRONGPASS|NOAUTH|invalid password|NOPERM/i.test(text);

function sentenceFor(address: string, user: string, error: unknown): Said {
  const text = messageOf(error).replace(/\.+$/, '');
  if (text.includes('NOAUTH')) return said('unreachable:no-password', { address });
  if (isAboutCredentials(text)) {
    return said('unreachable:credentials', { address, user, error: text });
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) {
    return said('unreachable:host', { address, error: text });
  }
  if (/certificate|altnames/i.test(text)) {
    return said('unreachable:certificate', { address, error: text });
  }
  if (isNoSuchDb(error)) return said('unreachable:no-db', { address, error: text });
  if (/RESP type|Protocol error/i.test(text)) {
    return said('unreachable:no-redis', { address });
  }
  return said('unreachable:redis', { address, error: text });
}

const isNoSuchDb = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('DB index is out of range');

/** `opening`, or a rejection when a server that took the connection says nothing for 5 s. */
export async function withinTimeout<T>(opening: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const silence = new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`);
  const timer = setTimeout(() => reject(silence), ANSWER_TIMEOUT_MS);
  try {
    return await Promise.race([opening, promise]);
  } finally {
    clearTimeout(timer);
  }
}
