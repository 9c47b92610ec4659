import { printable, type Bytes } from '@/lib/protocol/bytes';

export interface LockClass {
  /** Template of the keys that are instances of one lock, printable: `order:*`. */
  class: string;
  /** Business line: the first constant segment, '' when the key has none. */
  namespace: string;
}

/** Segments beyond this stay as they are: a class longer than a line names nothing. */
const MAX_CLASS_BYTES = 200;
const SEPARATORS = /([:/.\-_#|{}@,;= ]+)/;
const UUID_ANYWHERE = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const DATE_ANYWHERE =
  /(?<![0-9A-Za-z])\d{4}[-/.]\d{2}[-/.]\d{2}(?:[T_ -]?\d{2}[:.-]?\d{2}(?:[:.-]?\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![0-9A-Za-z])/g;
/** Crockford's base 32, 48 bits of time first, so that the first digit is at most 7. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const HEX = /^(?=.*\d)[0-9a-f]{8,}$/i;
const NUMBER = /^\d+$/;
/** A word with a number of two digits or more behind it: `ev2999`. One digit names things (`utf8`, `s3`). */
const NUMBERED = /^([A-Za-z_]+)\d{2,}$/;

/** The lock of an entry of Redisson's maps: `{MAP}:<128 bits of the entry's hash>:KIND`. */
const MAP_ENTRY =
  /\}:[A-Za-z0-9+/]{22}(?=:(?:lock|fairlock|rw_lock|semaphore|permitexpirablesemaphore|countdownlatch)$)/;

/** What formats put before the name that the application chose; the namespace is looked for behind it. */
const FORMAT_PREFIXES: readonly Bytes[] = [
  'qoder:lock:',
  'job-lock:default:',
  'job-lock:',
  'illuminate:cache:flexible:lock:',
  'laravel-queue-overlap:',
  'laravel_unique_job:',
  'framework/schedule-',
  'chat-sdk:lock:',
  'medusa_lock:',
  'asynq:',
  '{hangfire}:',
  'semaphore:',
  'lock4j:',
  'redlock:',
  'mutex:',
  'bull:',
  'lock:',
];

const isVariable = (segment: string): boolean =>
  NUMBER.test(segment) || HEX.test(segment) || ULID.test(segment);

/** The class that the key itself suggests, in bytes: `*` stands for any value. */
export function classTemplate(key: Bytes): Bytes {
  const head = key.slice(0, MAX_CLASS_BYTES * 2);
  const coarse = head
    .replace(MAP_ENTRY, '}:*')
    .replace(UUID_ANYWHERE, '*')
    .replace(DATE_ANYWHERE, '*');
  const parts = coarse.split(SEPARATORS);
  const template = parts
    .map((part) => (isVariable(part) ? '*' : part.replace(NUMBERED, '$1*')))
    .join('');
  const cut = key.length > head.length || template.length > MAX_CLASS_BYTES;
  return cut ? `${template.slice(0, MAX_CLASS_BYTES).replace(/\*?$/, '')}*` : template;
}

/** The first of the templates that the key is an instance of. */
export function declaredClass(key: Bytes, templates: readonly Bytes[]): Bytes | null {
  return templates.find((template) => fits(key, template)) ?? null;
}

/** Glob with `*` (any run of bytes) only; linear, with one position to fall back to. */
function fits(key: Bytes, template: Bytes): boolean {
  let at = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (at < key.length) {
    if (template[t] === '*') {
      star = t++;
      resume = at;
    } else if (t < template.length && template[t] === key[at]) {
      t++;
      at++;
    } else if (star >= 0) {
      t = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (template[t] === '*') t++;
  return t === template.length;
}

/** The first constant segment behind what a format puts before the name; '' = none. */
export function namespaceOf(template: Bytes): Bytes {
  const prefix = FORMAT_PREFIXES.find((each) => template.startsWith(each)) ?? '';
  const name = template.slice(prefix.length).replace(/^\{/, '');
  const end = name.search(/[:}]/);
  const first = end < 0 ? '' : name.slice(0, end);
  return first.includes('*') ? '' : first;
}

/**
 * The class and namespace of a lock key. Declared templates (`order:*`, bytes as keys are) win over what
 * the key itself suggests: numbers, uuids, ulids, dates, hex of 8 digits or more and the number behind a word stand for any value.
 * The work is bounded whatever the key's length.
 */
export function classify(key: Bytes, templates: readonly Bytes[] = []): LockClass {
  const template = declaredClass(key, templates) ?? classTemplate(key);
  return { class: printable(template), namespace: printable(namespaceOf(template)) };
}
