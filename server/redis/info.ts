/** The fields of an INFO reply. */
export function parseInfo(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0 && !line.startsWith('#')) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}

/** Number of keys per db, of dbs that have any. */
export function keysPerDb(fields: ReadonlyMap<string, string>): Map<number, number> {
  const found = new Map<number, number>();
  for (const [name, value] of fields) {
    const db = /^db(\d+)$/.exec(name);
    const keys = /(?:^|,)keys=(\d+)/.exec(value);
    if (db && keys) found.set(Number(db[1]), Number(keys[1]));
  }
  return found;
}

/** The space-separated `name=value` fields of the first row of CLIENT LIST. */
export function clientRow(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of (text.split('\n')[0] ?? '').split(' ')) {
    const equals = part.indexOf('=');
    if (equals > 0) fields.set(part.slice(0, equals), part.slice(equals + 1));
  }
  return fields;
}
