import { Redis, type RedisOptions } from 'ioredis';
import { CodedError } from '@/lib/protocol/errors';

const CONNECT_TIMEOUT_MS = 3_000;
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
    client.disconnect();
  }
}

/** The coded form of a failure to connect, in a sentence that says what to check. */
export function unavailable(url: string, error: unknown): CodedError {
  const address = displayAddress(url);
  const text = error instanceof Error ? error.message : String(error);
  if (/WRONGPASS|NOAUTH|invalid password|NOPERM/i.test(text)) {
    return new CodedError(
      'TARGET_UNAVAILABLE',
      `Redis at ${address} refused the credentials of user ${userOf(url)}: ${text}. Check user and password in the Redis URL.`,
    );
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) {
    return new CodedError(
      'TARGET_UNAVAILABLE',
      `The host of ${address} cannot be resolved (${text}). Check the host name in the Redis URL.`,
    );
  }
  return new CodedError(
    'TARGET_UNAVAILABLE',
    `Redis at ${address} cannot be reached: ${text}. Check that it runs and that the address is right.`,
  );
}
