import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import { ConfigError, firstLine, PROVIDER, readConfigFile, type ConfigFile } from './config-file';

export { ConfigError };

/**
 * Everything that can be set, parsed and checked. Made by {@link loadConfig} and passed on; nobody else
 * reads the environment.
 */
export interface Config {
  redis: {
    /** As given, for connecting; never shown or logged. */
    url: string;
    /** Without user and password, for people. */
    displayUrl: string;
    /** The setting that gave the URL: what a sentence about an unusable Redis names. */
    setting: string;
    mode: 'standalone' | 'sentinel' | 'cluster';
    db: number;
  };
  /** Operator's own patterns (glob, bytes), without `*`. */
  watchPatterns: Bytes[];
  /** `*` was among them: look at every key and recognise locks by their value. */
  watchEverything: boolean;
  /** Db numbers, or all of them. */
  dbs: number[] | 'all';
  host: string;
  port: number;
  databaseUrl: string | null;
  dataDir: string;
  adminToken: string | null;
  longHoldMs: number;
  noExpiryMs: number;
  allowInsecureRedis: boolean;
  /** Secret for session cookies: given, or made at first start and kept in the data directory. */
  authSecret: string;
  /** Where it listens, `http://host:port`; with port 0 not known before it listens: {@link atPort}. */
  listenUrl: string;
  /** What browsers call the console, for links and origin checks. */
  publicUrl: string;
}

type Env = Record<string, string | undefined>;

function integer(
  name: string,
  text: string | undefined,
  range: [number, number],
): number | undefined {
  if (text === undefined || text === '') return undefined;
  // Digits only: `Number` would also take `0x10`, `1e3` and a blank for a number.
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range[0] && value <= range[1]) return value;
  throw new ConfigError(
    `${name} must be a whole number from ${range[0]} to ${range[1]}, but is "${text}".`,
  );
}

const MODES = {
  'redis:': 'standalone',
  'rediss:': 'standalone',
  'redis+sentinel:': 'sentinel',
  'redis+cluster:': 'cluster',
} as const;

function parseRedis(setting: string, text: string, password: string | undefined): Config['redis'] {
  const scheme = /^[a-z+]+:/i.exec(text)?.[0].toLowerCase() ?? '';
  const mode = Object.entries(MODES).find(([name]) => name === scheme)?.[1];
  if (!mode) {
    throw new ConfigError(
      `${setting} must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://.`,
    );
  }
  if (mode !== 'standalone') {
    throw new ConfigError(
      `${setting}: this version watches a single Redis (redis:// or rediss://); ${scheme}// is not supported yet.`,
    );
  }
  const url = parseUrl(text);
  if (!url)
    throw new ConfigError(`${setting} is not a URL like redis://user:password@host:6379/0.`);
  const path = url.pathname.replace(/^\//, '');
  const db = integer(`${setting} (the number after the /)`, path, [0, 16_383]) ?? 0;
  if (password !== undefined) {
    if (url.password) {
      throw new ConfigError(
        `The Redis password is set twice, in ${setting} and in redis_password: keep one.`,
      );
    }
    url.password = encodeURIComponent(password);
  }
  const displayUrl = `${url.protocol}//${url.host}/${db}`;
  return { url: url.href, displayUrl, setting, mode, db };
}

/** Null also without a host, and where user or password are not percent-encoded as they must be. */
function parseUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password);
    return url.hostname === '' ? null : url;
  } catch {
    return null;
  }
}

function parseDbs(env: Env, file: ConfigFile, urlDb: number): Config['dbs'] {
  const text = env['LOCKSCOPE_DBS'] || undefined;
  if (text === undefined) {
    const fromFile = file.lockscope?.dbs;
    return fromFile === '*' ? 'all' : (fromFile ?? [urlDb]);
  }
  if (text.trim() === '*') return 'all';
  const dbs = text.split(',').map((part) => integer('LOCKSCOPE_DBS', part.trim(), [0, 16_383]));
  if (dbs.some((db) => db === undefined)) {
    throw new ConfigError(`LOCKSCOPE_DBS must be numbers with commas between, or *: "${text}".`);
  }
  return [...new Set(dbs.filter((db) => db !== undefined))];
}

function parseWatch(env: Env, file: ConfigFile): Pick<Config, 'watchPatterns' | 'watchEverything'> {
  const texts = env['LOCKSCOPE_WATCH']?.split(',') ?? file.lockscope?.watch ?? [];
  const patterns = texts.map((text) => text.trim()).filter((text) => text !== '');
  return {
    watchPatterns: patterns.filter((pattern) => !/^\*+$/.test(pattern)).map(bytesFromText),
    watchEverything: patterns.some((pattern) => /^\*+$/.test(pattern)),
  };
}

function parseAdminToken(env: Env): string | null {
  const token = env['LOCKSCOPE_ADMIN_TOKEN'];
  if (!token) return null;
  if (token.length < 32) {
    throw new ConfigError('LOCKSCOPE_ADMIN_TOKEN must have at least 32 characters.');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ConfigError(
      'LOCKSCOPE_ADMIN_TOKEN must be printable ASCII without spaces: no header carries anything else.',
    );
  }
  return token;
}

function parseAllowInsecure(env: Env, file: ConfigFile): boolean {
  const text = env['LOCKSCOPE_ALLOW_INSECURE_REDIS'] || undefined;
  if (text === undefined) return file.lockscope?.allow_insecure_redis === true;
  if (text === '1' || text === '0') return text === '1';
  throw new ConfigError(`LOCKSCOPE_ALLOW_INSECURE_REDIS must be 1 or 0, but is "${text}".`);
}

/** Folder by folder: Node's own recursive mkdir never returns where a parent refuses with ENOENT (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function authSecret(env: Env, dataDir: string): string {
  const given = env['LOCKSCOPE_AUTH_SECRET'];
  if (given) {
    if (given.length >= 32) return given;
    throw new ConfigError('LOCKSCOPE_AUTH_SECRET must have at least 32 characters.');
  }
  try {
    makeFolder(resolve(dataDir));
    const path = join(dataDir, 'auth-secret');
    if (!existsSync(path)) {
      writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600 });
    }
    chmodSync(path, 0o600);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(
      `LOCKSCOPE_DATA_DIR (${dataDir}) cannot be written: ${firstLine(error)}.`,
    );
  }
}

function listenUrlOf(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

/** The same settings with the port that was really opened. */
export function atPort(config: Config, port: number): Config {
  const listenUrl = listenUrlOf(config.host, port);
  const publicUrl = config.publicUrl === config.listenUrl ? listenUrl : config.publicUrl;
  return { ...config, port, listenUrl, publicUrl };
}

function parsePublicUrl(text: string | undefined, listenUrl: string): string {
  if (!text) return listenUrl;
  if (URL.canParse(text) && /^https?:/.test(text)) return new URL(text).origin;
  throw new ConfigError(
    `LOCKSCOPE_PUBLIC_URL must be like https://lockscope.example.com: "${text}".`,
  );
}

function parseDatabaseUrl(text: string | undefined): string | null {
  if (!text) return null;
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new ConfigError('LOCKSCOPE_DATABASE_URL must begin with postgres://.');
}

/**
 * Reads the environment and the YAML file; the environment wins.
 * Throws {@link ConfigError} at the first setting that cannot be used.
 */
export function loadConfig(env: Env = process.env): Config {
  const file = readConfigFile(env['LOCKSCOPE_CONFIG']);
  const provider = file[PROVIDER];
  const given = env['LOCKSCOPE_REDIS_URL'] || undefined;
  const url = given ?? provider?.redis_url;
  if (!url) {
    throw new ConfigError(
      'LOCKSCOPE_REDIS_URL is not set: give the Redis to watch, like redis://user:password@host:6379/0.',
    );
  }
  const redis = parseRedis(
    given ? 'LOCKSCOPE_REDIS_URL' : `${PROVIDER}.redis_url`,
    url,
    given ? undefined : provider?.redis_password,
  );
  const console_ = file.lockscope ?? {};
  const host = env['LOCKSCOPE_HOST'] || console_.host || '127.0.0.1';
  const port =
    integer('LOCKSCOPE_PORT', env['LOCKSCOPE_PORT'], [0, 65_535]) ?? console_.port ?? 3000;
  const dataDir = env['LOCKSCOPE_DATA_DIR'] || console_.data_dir || 'data';
  const day = 86_400_000;
  const listenUrl = listenUrlOf(host, port);
  return {
    redis,
    ...parseWatch(env, file),
    dbs: parseDbs(env, file, redis.db),
    host,
    port,
    databaseUrl: parseDatabaseUrl(env['LOCKSCOPE_DATABASE_URL'] || console_.database_url),
    dataDir,
    adminToken: parseAdminToken(env),
    longHoldMs:
      integer('LOCKSCOPE_LONG_HOLD_MS', env['LOCKSCOPE_LONG_HOLD_MS'], [1, 30 * day]) ??
      console_.long_hold_ms ??
      60_000,
    noExpiryMs:
      integer('LOCKSCOPE_NO_EXPIRY_MS', env['LOCKSCOPE_NO_EXPIRY_MS'], [1, 30 * day]) ??
      console_.no_expiry_ms ??
      30_000,
    allowInsecureRedis: parseAllowInsecure(env, file),
    authSecret: authSecret(env, dataDir),
    listenUrl,
    publicUrl: parsePublicUrl(env['LOCKSCOPE_PUBLIC_URL'] || console_.public_url, listenUrl),
  };
}
