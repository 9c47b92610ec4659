import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** A setting that cannot be used. The message is one sentence that names the setting and the remedy. */
export class ConfigError extends Error {
  readonly code = 'BAD_SETTING';
}

export const PROVIDER = 'redis-lock-provider';

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
      dbs: z
        .union([z.literal('*'), z.array(z.number().int().min(0).max(16_383)).min(1)])
        .optional(),
      port: z.number().int().min(0).max(65_535).optional(),
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
export type ConfigFile = z.infer<typeof ConfigFile>;

/**
 * The YAML file at `given`, or at `config/lock.yaml` where there is one. Throws {@link ConfigError} naming
 * the file, and the field that does not fit.
 */
export function readConfigFile(given: string | undefined): ConfigFile {
  const path = given || join('config', 'lock.yaml');
  const name = given ? `LOCKSCOPE_CONFIG (${path})` : path;
  if (!existsSync(path)) {
    if (!given) return {};
    throw new ConfigError(`LOCKSCOPE_CONFIG names ${path}, which does not exist.`);
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${name} cannot be read: ${firstLine(error)}.`);
  }
  let content: unknown;
  try {
    content = parse(text) ?? {};
  } catch (error) {
    throw new ConfigError(`${name} is not valid YAML: ${firstLine(error)}.`);
  }
  const parsed = ConfigFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'the file';
  throw new ConfigError(`${name}: ${field}: ${issue?.message ?? 'not as expected'}.`);
}

/** An error's message up to the first line break, without the full stop. */
export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : `${error}`).split('\n')[0]?.replace(/[.:]$/, '') ?? '';
