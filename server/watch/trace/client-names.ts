import { printableText } from '@/lib/protocol/bytes';
import { CONNECTION_NAME } from '@/server/redis/connection-options';

export interface ClientName {
  name: string | null;
  libName: string | null;
}

const MOST_NAMES = 20_000;
const UNNAMED: ClientName = { name: null, libName: null };
const LONGEST_NAME = 200;

/** What clients call themselves, by their address, as CLIENT LIST has it. */
export interface ClientNames {
  take: (rows: readonly ReadonlyMap<string, string>[]) => void;
  of: (addr: string) => ClientName;
  /** One of a console's own connections: what it does is no service's attempt. */
  isOwn: (addr: string) => boolean;
  knows: (addr: string) => boolean;
}

export function createClientNames(): ClientNames {
  const names = new Map<string, ClientName>();
  const own = new Set<string>();
  const text = (value: string | undefined): string | null =>
    value ? printableText(value).slice(0, LONGEST_NAME) : null;
  return {
    take: (rows) => {
      for (const row of rows) {
        const addr = row.get('addr');
        if (!addr || names.size >= MOST_NAMES) continue;
        if (row.get('name') === CONNECTION_NAME) own.add(addr);
        names.set(addr, { name: text(row.get('name')), libName: text(row.get('lib-name')) });
      }
    },
    of: (addr) => names.get(addr) ?? UNNAMED,
    isOwn: (addr) => own.has(addr),
    knows: (addr) => names.has(addr),
  };
}
