import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { ChannelClient } from '@/lib/protocol/target';

/** Distinct names and addresses that are kept of one list. */
const MAX_NAMES = 10_000;
/** Names our connections give themselves. */
const OWN_NAME = 'lockscope';

/** What CLIENT LIST says of those who wait, and of who is there at all. */
export interface ClientsSeen {
  /** Clients blocked in each command, by its name, and how long the longest has been. */
  blocked: ReadonlyMap<string, { count: number; longestMs: number }>;
  /** Clients that listen to a pattern of channels, without consoles. */
  patternListeners: number;
  names: readonly Bytes[];
  addresses: ReadonlySet<string>;
  clients: number;
}

/** Digests the reply of CLIENT LIST: a row for each client, `name=value` fields with spaces between. */
export function readClientList(text: Bytes): ClientsSeen {
  const blocked = new Map<string, { count: number; longestMs: number }>();
  const names = new Set<Bytes>();
  const addresses = new Set<string>();
  let patternListeners = 0;
  let clients = 0;
  for (const row of text.split('\n')) {
    if (row === '') continue;
    clients++;
    const name = fieldOf(row, 'name');
    if (name !== '' && names.size < MAX_NAMES) names.add(name);
    const address = hostOf(fieldOf(row, 'addr'));
    if (address !== '' && addresses.size < MAX_NAMES) addresses.add(address);
    if (Number(fieldOf(row, 'psub')) > 0 && name !== OWN_NAME) patternListeners++;
    if (!fieldOf(row, 'flags').includes('b')) continue;
    const command = fieldOf(row, 'cmd');
    const known = blocked.get(command) ?? { count: 0, longestMs: 0 };
    // It sends nothing while it is blocked.
    const longestMs = Math.max(known.longestMs, Number(fieldOf(row, 'idle')) * 1000 || 0);
    blocked.set(command, { count: known.count + 1, longestMs });
  }
  return { blocked, patternListeners, names: [...names], addresses, clients };
}

/** Who listens to channels by their names, the most first; patterns are left out, and so are consoles. */
export function readChannelClients(text: Bytes, most: number): ChannelClient[] {
  const listening = text.split('\n').flatMap((row) => {
    const name = fieldOf(row, 'name');
    const channels = Number(fieldOf(row, 'sub')) + (Number(fieldOf(row, 'ssub')) || 0);
    if (!(channels > 0) || name === OWN_NAME) return [];
    return [{ addr: printable(fieldOf(row, 'addr')), name: printable(name), channels }];
  });
  return listening.toSorted((a, b) => b.channels - a.channels).slice(0, most);
}

/** Empty where the row has no such field. Redis lets no name of a client hold a space. */
function fieldOf(row: string, field: string): string {
  const start = row.startsWith(`${field}=`) ? 0 : row.indexOf(` ${field}=`) + 1;
  if (start === 0 && !row.startsWith(`${field}=`)) return '';
  const from = start + field.length + 1;
  const to = row.indexOf(' ', from);
  return row.slice(from, to === -1 ? undefined : to);
}

/** `127.0.0.1:6379`, `[::1]:6379`; a client on a Unix socket has a path and port 0. */
const hostOf = (address: string): string =>
  address.slice(0, Math.max(0, address.lastIndexOf(':'))).replace(/^\[|\]$/g, '');
