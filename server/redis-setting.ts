import { ConfigError, integer } from './setting';

export interface RedisSetting {
  /** As given, for connecting; never shown or logged. */
  url: string;
  /** Without user and password, for people. */
  displayUrl: string;
  /** The setting that gave the URL: what a sentence about an unusable Redis names. */
  setting: string;
  mode: 'standalone' | 'sentinel' | 'cluster';
  db: number;
  /** Whether the URL has the number after the `/`; without it `db` is 0. */
  namesDb: boolean;
}

const MODES = {
  'redis:': 'standalone',
  'rediss:': 'standalone',
  'redis+sentinel:': 'sentinel',
  'redis+cluster:': 'cluster',
} as const;

/**
 * A Redis URL and the password that was given apart from it. `setting` and `file` are what the sentences
 * name. Throws {@link ConfigError}, whose sentence never holds the URL.
 */
export function parseRedis(given: {
  setting: string;
  file?: string;
  text: string;
  password?: string | undefined;
}): RedisSetting {
  const { setting, file, text, password } = given;
  const where = file === undefined ? setting : `${file}: ${setting}`;
  const scheme = /^[a-z+]+:/i.exec(text)?.[0].toLowerCase() ?? '';
  const mode = Object.entries(MODES).find(([name]) => name === scheme)?.[1];
  if (!mode) {
    throw new ConfigError(
      `${where} must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://.`,
    );
  }
  if (mode !== 'standalone') {
    throw new ConfigError(
      `${where}: this version watches a single Redis (redis:// or rediss://); ${scheme}// is not supported yet.`,
    );
  }
  const url = parseUrl(text);
  if (!url) throw new ConfigError(`${where} is not a URL like redis://user:password@host:6379/0.`);
  const path = url.pathname.replace(/^\//, '');
  const db = integer(`${where} (the number after the /)`, path, [0, 16_383]);
  if (password !== undefined) {
    if (url.password) {
      throw new ConfigError(
        `${where}: the password is given twice, in the URL and in redis_password; keep the field and take it out of the URL.`,
      );
    }
    url.password = encodeURIComponent(password);
  }
  const displayUrl = `${url.protocol}//${url.host}/${db ?? 0}`;
  return { url: url.href, displayUrl, setting, mode, db: db ?? 0, namesDb: db !== undefined };
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
