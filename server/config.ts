import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';

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
  /** What browsers call the console, for links and origin checks. */
  publicUrl: string;
}

/** A setting that cannot be used. The message is one sentence that names the setting and the remedy. */
export class ConfigError extends Error {
  readonly code = 'BAD_SETTING';
}

const PROVIDER = 'redis-lock-provider';

const ConfigFile = z.strictObject({
  [PROVIDER]: z
    .strictObject({
      enabled: z.boolean().optional(),
      redis_url: z.string().optional(),
      redis_password: z.string().optional(),
      lock_timeout_ms: z.number().int().positive().optional(),
    })
    .optional(),
  lockscope: z
    .strictObject({
      watch: z.array(z.string()).optional(),
      dbs: z.union([z.literal('*'), z.array(z.number().int().nonnegative())]).optional(),
      port: z.number().int().optional(),
      host: z.string().optional(),
      database_url: z.string().optional(),
      data_dir: z.string().optional(),
      public_url: z.string().optional(),
      long_hold_ms: z.number().int().positive().optional(),
      no_expiry_ms: z.number().int().positive().optional(),
      allow_insecure_redis: z.boolean().optional(),
    })
    .optional(),
});
type ConfigFile = z.infer<typeof ConfigFile>;

type Env = Record<string, string | undefined>;

function readConfigFile(env: Env): ConfigFile {
  const path = env['LOCKSCOPE_CONFIG'] || join('config', 'lock.yaml');
  if (!existsSync(path)) {
    if (!env['LOCKSCOPE_CONFIG']) return {};
    throw new ConfigError(`LOCKSCOPE_CONFIG names ${path}, which does not exist.`);
  }
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    throw new ConfigError(`${path} is not valid YAML: ${firstLine(error)}.`);
  }
  const parsed = ConfigFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'the file';
  throw new ConfigError(`${path}: ${field}: ${issue?.message ?? 'not as expected'}.`);
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : `${error}`).split('\n')[0]?.replace(/\.$/, '') ?? '';

function integer(
  name: string,
  text: string | undefined,
  range: [number, number],
): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= range[0] && value <= range[1]) return value;
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
  const scheme = /^[a-z+]+:/.exec(text)?.[0] ?? '';
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
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(`${setting} is not a URL like redis://user:password@host:6379/0.`);
  }
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
  return { url: url.href, displayUrl: `${url.protocol}//${url.host}/${db}`, mode, db };
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
  return token;
}

function authSecret(env: Env, dataDir: string): string {
  const given = env['LOCKSCOPE_AUTH_SECRET'];
  if (given) {
    if (given.length >= 32) return given;
    throw new ConfigError('LOCKSCOPE_AUTH_SECRET must have at least 32 characters.');
  }
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
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

function parsePublicUrl(text: string | undefined, host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  if (!text) return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
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
  const file = readConfigFile(env);
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
    allowInsecureRedis:
      env['LOCKSCOPE_ALLOW_INSECURE_REDIS'] === '1' || console_.allow_insecure_redis === true,
    authSecret: authSecret(env, dataDir),
    publicUrl: parsePublicUrl(env['LOCKSCOPE_PUBLIC_URL'] || console_.public_url, host, port),
  };
}
