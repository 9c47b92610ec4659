import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { isRecord } from '@/lib/protocol/errors';
import { closest, ConfigError, firstLine } from './setting';

export const PROVIDER = 'redis-lock-provider';
/** Where the file is unless LOCKSCOPE_CONFIG says otherwise: in the folder that the program runs in. */
export const DEFAULT_FILE = join('config', 'lock.yaml');

const milliseconds = z.int().positive();

const ProviderSection = z.strictObject({
  enabled: z.boolean().optional(),
  redis_url: z.string().optional(),
  redis_password: z.string().optional(),
  lock_timeout_ms: milliseconds.optional(),
  retry_delay_ms: milliseconds.optional(),
  lock_key_template: z.union([z.string(), z.array(z.string())]).optional(),
});

const ConsoleSection = z.strictObject({
  watch: z.array(z.string()).optional(),
  classes: z.array(z.string()).optional(),
  dbs: z.union([z.literal('*'), z.array(z.int().min(0).max(16_383)).min(1)]).optional(),
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().optional(),
  database_url: z.string().optional(),
  data_dir: z.string().optional(),
  public_url: z.string().optional(),
  long_hold_ms: milliseconds.optional(),
  long_hold_ms_by_class: z.record(z.string().min(1), milliseconds).optional(),
  no_expiry_ms: milliseconds.optional(),
  allow_insecure_redis: z.boolean().optional(),
  history: z.string().optional(),
  history_holds: z.string().optional(),
  history_max_mb: z.int().min(0).optional(),
});

const ConfigFile = z.strictObject({
  [PROVIDER]: ProviderSection.nullable().optional(),
  lockscope: ConsoleSection.nullable().optional(),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

const FIELDS: Record<string, readonly string[]> = {
  '': Object.keys(ConfigFile.shape),
  [PROVIDER]: Object.keys(ProviderSection.shape),
  lockscope: Object.keys(ConsoleSection.shape),
};

/** What fits, by field, where the schema's own words would not tell a person. */
const EXPECTED: Record<string, string> = {
  enabled: 'true or false',
  allow_insecure_redis: 'true or false',
  redis_url: 'text like redis://host:6379/0',
  redis_password: 'text; put it in quotes',
  lock_key_template: 'a template like "order_sync:${event.order_no}", or a list of them',
  watch: 'a list of patterns like ["order_sync:*"]',
  classes: 'a list of templates like ["order:*:*"]',
  dbs: '"*" or a list of database numbers like [0, 5]',
  port: 'a whole number from 0 to 65535',
  lock_timeout_ms: 'a whole number of milliseconds, 1 or more',
  retry_delay_ms: 'a whole number of milliseconds, 1 or more',
  long_hold_ms: 'a whole number of milliseconds, 1 or more',
  long_hold_ms_by_class:
    'classes with a whole number of milliseconds each, like "import:*": 900000',
  no_expiry_ms: 'a whole number of milliseconds, 1 or more',
  history: 'text like "10s:2h,1m:24h,5m:7d,1h:90d"',
  history_holds: 'text like "7d"',
  history_max_mb: 'a whole number of megabytes, 0 for no bound',
};

/**
 * The YAML file at `given`, or at `config/lock.yaml` where there is one. Throws {@link ConfigError} naming
 * the file, the field that does not fit, and what would.
 */
export function readConfigFile(given: string | undefined): ConfigFile {
  const path = given || DEFAULT_FILE;
  const name = given ? `LOCKSCOPE_CONFIG (${path})` : path;
  if (!existsSync(path)) {
    if (!given) return {};
    throw new ConfigError(`LOCKSCOPE_CONFIG names ${path}, which does not exist.`);
  }
  const content = parseYaml(name, readText(name, path)) ?? {};
  const parsed = ConfigFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError(`${name}: ${issue ? inWords(issue, content) : 'it is not as expected.'}`);
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${name} cannot be read: ${firstLine(error)}.`);
  }
}

function parseYaml(name: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError && error.code === 'DUPLICATE_KEY') {
      throw new ConfigError(`${name}: ${repeated(error, text)}`);
    }
    throw new ConfigError(`${name} is not valid YAML: ${firstLine(error)}.`);
  }
}

function repeated(error: YAMLParseError, text: string): string {
  const line = error.linePos?.[0].line ?? 0;
  const field = /^[\s-]*["']?([^"':]+)/.exec(text.split('\n')[line - 1] ?? '')?.[1] ?? 'a field';
  const remedy =
    field === 'lock_key_template' ? 'write one list, ["…", "…"], with all of them' : 'keep one';
  return `${field} is given twice, again in line ${line}; ${remedy}.`;
}

/** One sentence for the first thing that does not fit. Never a value: it may be the password. */
function inWords(issue: z.core.$ZodIssue, content: unknown): string {
  const section = String(issue.path[0] ?? '');
  if (issue.code === 'unrecognized_keys') return unknownField(section, issue.keys[0] ?? '');
  const field = String(issue.path[1] ?? '');
  const label = [section, field].filter((part) => part !== '').join('.') || 'the file';
  const value = issue.path.reduce<unknown>((inner, key) => at(inner, key), content);
  const found =
    typeof value === 'number' && field !== 'redis_password' ? `${value}` : kindOf(value);
  if (field === '') return `${label} must be a section of fields, but is ${found}.`;
  return `${label} must be ${EXPECTED[field] ?? 'text'} (it is ${found}).`;
}

function unknownField(section: string, field: string): string {
  const known = FIELDS[section] ?? [];
  const elsewhere = Object.keys(FIELDS).find((name) => FIELDS[name]?.includes(field));
  const meant = closest(field, known);
  const label = section === '' ? field : `${section}.${field}`;
  if (elsewhere !== undefined) {
    const place = elsewhere === '' ? 'the top of the file' : `the section ${elsewhere}`;
    return `${label} is in the wrong place; it belongs into ${place}.`;
  }
  if (meant !== null) return `there is no field ${label}; did you mean ${meant}?`;
  return `there is no field ${label}; known are ${known.join(', ')}.`;
}

const at = (value: unknown, key: PropertyKey): unknown =>
  Array.isArray(value) ? value[Number(key)] : isRecord(value) ? value[String(key)] : undefined;

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a section';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? `${value}` : `a ${typeof value}`;
}
