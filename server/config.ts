import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import { DEFAULT_FILE, PROVIDER, readConfigFile, type ConfigFile } from './config-file';
import { parseRedis, type RedisSetting } from './redis-setting';
import { parseRetention } from './retention-setting';
import { ConfigError, firstLine, integer, isConfigError } from './setting';
import type { Retention } from './store/history-contract';

export { ConfigError, isConfigError };

export type Env = Record<string, string | undefined>;

/**
 * Everything that can be set, parsed and checked. Made by {@link loadSettings} and passed on; nobody else
 * reads the environment.
 */
export interface Settings {
  redis: RedisSetting;
  /** Section `redis-lock-provider`: what services that lock are told. */
  provider: ProviderSettings;
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
  /** Reads the metrics and nothing else. */
  metricsToken: string | null;
  /** Templates of lock classes, `*` = any text, like `order:*:*`. */
  classes: string[];
  longHoldMs: number;
  /** Thresholds of single classes, by the name that the console shows. */
  longHoldMsByClass: ReadonlyMap<string, number>;
  noExpiryMs: number;
  allowInsecureRedis: boolean;
  retention: Retention;
  /** Where it listens, `http://host:port`; with port 0 not known before it listens: {@link atPort}. */
  listenUrl: string;
  /** What browsers call the console, for links and origin checks. */
  publicUrl: string;
}

export interface ProviderSettings {
  /** Path of the file as a sentence names it, whether it exists or not. */
  file: string;
  /** False only where the file says so. */
  enabled: boolean;
  /** Bounds the wait for a lock. */
  lockTimeoutMs: number;
  /** After what time the scheduler tries a failed task again, where it was told. */
  retryDelayMs: number | null;
  lockKeyTemplates: string[];
}

/** What the console needs to start. */
export interface Config extends Settings {
  /** Secret for session cookies: given, or made at first start and kept in the data directory. */
  authSecret: string;
}

/** The environment of this process; only here. */
export const environment = (): Env => process.env;

const DEFAULT_LOCK_TIMEOUT_MS = 30_000;
const MONTH_MS = 30 * 86_400_000;

const threshold = (env: Env, name: string): number | undefined =>
  integer(name, env[name], [1, MONTH_MS]);

/** `order:*=5000,import:*=900000`. */
function parseByClass(env: Env, file: ConfigFile): Config['longHoldMsByClass'] {
  const name = 'LOCKSCOPE_LONG_HOLD_MS_BY_CLASS';
  const text = env[name] || undefined;
  if (text === undefined)
    return new Map(Object.entries(file.lockscope?.long_hold_ms_by_class ?? {}));
  return new Map(
    text.split(',').map((part) => {
      const equals = part.lastIndexOf('=');
      const ms = threshold({ [name]: part.slice(equals + 1).trim() }, name);
      if (equals > 0 && ms !== undefined) return [part.slice(0, equals).trim(), ms];
      throw new ConfigError(
        `${name} must be classes with their milliseconds, like order:*=5000,import:*=900000: "${text}".`,
      );
    }),
  );
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

function parseClasses(env: Env, file: ConfigFile): string[] {
  const texts = env['LOCKSCOPE_CLASSES']?.split(',') ?? file.lockscope?.classes ?? [];
  const templates = texts.map((text) => text.trim()).filter((text) => text !== '');
  const bare = templates.find((template) => /^[*:]+$/.test(template));
  if (bare === undefined) return templates;
  throw new ConfigError(
    `LOCKSCOPE_CLASSES must name more than "${bare}": every lock would be of one class.`,
  );
}

function parseToken(env: Env, name: string): string | null {
  const token = env[name];
  if (!token) return null;
  if (token.length < 32) throw new ConfigError(`${name} must have at least 32 characters.`);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ConfigError(
      `${name} must be printable ASCII without spaces: no header carries anything else.`,
    );
  }
  return token;
}

/** One token for both would be one that scrapers have and that releases locks. */
function parseTokens(env: Env): Pick<Config, 'adminToken' | 'metricsToken'> {
  const adminToken = parseToken(env, 'LOCKSCOPE_ADMIN_TOKEN');
  const metricsToken = parseToken(env, 'LOCKSCOPE_METRICS_TOKEN');
  if (metricsToken !== null && metricsToken === adminToken) {
    throw new ConfigError(
      'LOCKSCOPE_METRICS_TOKEN must be another than LOCKSCOPE_ADMIN_TOKEN: it may read the metrics and nothing else.',
    );
  }
  return { adminToken, metricsToken };
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

function providerOf(file: ConfigFile, path: string): ProviderSettings {
  const section = file[PROVIDER];
  const templates = section?.lock_key_template ?? [];
  return {
    file: path,
    enabled: section?.enabled !== false,
    lockTimeoutMs: section?.lock_timeout_ms ?? DEFAULT_LOCK_TIMEOUT_MS,
    retryDelayMs: section?.retry_delay_ms ?? null,
    lockKeyTemplates: typeof templates === 'string' ? [templates] : templates,
  };
}

/**
 * Reads the environment and the YAML file; the environment wins. Changes nothing.
 * Throws {@link ConfigError} at the first setting that cannot be used.
 */
export function loadSettings(env: Env = process.env): Settings {
  const file = readConfigFile(env['LOCKSCOPE_CONFIG']);
  const path = env['LOCKSCOPE_CONFIG'] || DEFAULT_FILE;
  const section = file[PROVIDER];
  const given = env['LOCKSCOPE_REDIS_URL'] || undefined;
  const url = given ?? section?.redis_url;
  if (!url) {
    throw new ConfigError(
      `LOCKSCOPE_REDIS_URL is not set, nor ${PROVIDER}.redis_url in ${path}: give the Redis, like redis://user:password@host:6379/0.`,
    );
  }
  const redis = given
    ? parseRedis({ setting: 'LOCKSCOPE_REDIS_URL', text: given })
    : parseRedis({
        setting: `${PROVIDER}.redis_url`,
        file: path,
        text: url,
        password: section?.redis_password,
      });
  const ofConsole = file.lockscope ?? {};
  const host = env['LOCKSCOPE_HOST'] || ofConsole.host || '127.0.0.1';
  const port =
    integer('LOCKSCOPE_PORT', env['LOCKSCOPE_PORT'], [0, 65_535]) ?? ofConsole.port ?? 3000;
  const listenUrl = listenUrlOf(host, port);
  return {
    redis,
    provider: providerOf(file, path),
    ...parseWatch(env, file),
    dbs: parseDbs(env, file, redis.db),
    host,
    port,
    databaseUrl: parseDatabaseUrl(env['LOCKSCOPE_DATABASE_URL'] || ofConsole.database_url),
    dataDir: env['LOCKSCOPE_DATA_DIR'] || ofConsole.data_dir || 'data',
    ...parseTokens(env),
    classes: parseClasses(env, file),
    longHoldMs: threshold(env, 'LOCKSCOPE_LONG_HOLD_MS') ?? ofConsole.long_hold_ms ?? 60_000,
    longHoldMsByClass: parseByClass(env, file),
    noExpiryMs: threshold(env, 'LOCKSCOPE_NO_EXPIRY_MS') ?? ofConsole.no_expiry_ms ?? 30_000,
    allowInsecureRedis: parseAllowInsecure(env, file),
    retention: parseRetention({
      history: env['LOCKSCOPE_HISTORY'] || ofConsole.history,
      holds: env['LOCKSCOPE_HISTORY_HOLDS'] || ofConsole.history_holds,
      maxMegabytes: env['LOCKSCOPE_HISTORY_MAX_MB'] || ofConsole.history_max_mb?.toString(),
    }),
    listenUrl,
    publicUrl: parsePublicUrl(env['LOCKSCOPE_PUBLIC_URL'] || ofConsole.public_url, listenUrl),
  };
}

/** The same for the console's start, which makes the data folder and its secret where they are missing. */
export function loadConfig(env: Env = process.env): Config {
  const settings = loadSettings(env);
  return { ...settings, authSecret: authSecret(env, settings.dataDir) };
}
