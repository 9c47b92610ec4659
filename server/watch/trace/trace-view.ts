import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { Evidence } from '@/lib/protocol/lock';
import type { TracedClient, TracedKey } from '@/lib/protocol/trace';
import type { TraceSampleObservation } from '@/server/watch/observation';
import type { ClientNames } from './client-names';
import {
  STORM_PER_SECOND,
  type ClientCount,
  type KeyCount,
  type Pair,
  type TraceCounts,
} from './trace-counts';

/** Rows of each table; those with most failed attempts first. */
const SHOWN_ROWS = 200;
const SHOWN_CLIENTS = 10;

const worstFirst = (a: Pair, b: Pair): number => b.failed - a.failed || b.attempts - a.attempts;

/** Two digits behind the point are enough for a rate. */
const rate = (count: number, seconds: number): number =>
  seconds > 0 ? Math.round((100 * count) / seconds) / 100 : 0;

export const isStorm = ({ failedRate }: { failedRate: { most: number } }): boolean =>
  failedRate.most >= STORM_PER_SECOND;

export const evidenceOf = ({ inferred }: Pick<KeyCount, 'inferred'>): Evidence =>
  inferred > 0 ? 'inferred' : 'observed';

interface Shown {
  names: ClientNames;
  formatOf: (db: number, key: string) => string | null;
  seconds: number;
}

function keyRow(count: KeyCount, { names, formatOf, seconds }: Shown): TracedKey {
  const { db, key, attempts, failed, renewals, releases, looks } = count;
  const format = formatOf(db, key);
  const clients = [...count.clients]
    .sort(([, a], [, b]) => worstFirst(a, b))
    .slice(0, SHOWN_CLIENTS)
    .map(([addr, pair]) => ({ addr, name: names.of(addr).name, ...pair }));
  return {
    db,
    key: printable(key),
    keyB64: toBase64Url(key),
    ...(format !== null && { format }),
    ...{ attempts, failed, renewals, releases, looks },
    perSecond: rate(attempts, seconds),
    failedPerSecond: count.failedRate.most,
    clients,
    clientCount: count.clients.size,
    waiting: count.waiting.size,
    storm: isStorm(count),
    evidence: evidenceOf(count),
  };
}

export const keyRows = (counts: Iterable<KeyCount>, shown: Shown): TracedKey[] =>
  [...counts]
    .sort(worstFirst)
    .slice(0, SHOWN_ROWS)
    .map((count) => keyRow(count, shown));

export const clientRows = (
  counts: Iterable<ClientCount>,
  { names, seconds }: Pick<Shown, 'names' | 'seconds'>,
): TracedClient[] =>
  [...counts]
    .sort(worstFirst)
    .slice(0, SHOWN_ROWS)
    .map((count) => ({
      addr: count.addr,
      ...names.of(count.addr),
      attempts: count.attempts,
      failed: count.failed,
      perSecond: rate(count.attempts, seconds),
      failedPerSecond: count.failedRate.most,
      keys: count.keys,
      hot: isStorm(count),
    }));

/** Storms that are told of at once; the trace itself lists more. */
const MOST_STORMS = 50;

/** Who tries too often, for the alerts. */
export const sampleOf = (
  counts: TraceCounts,
  names: ClientNames,
): Pick<TraceSampleObservation, 'storms' | 'hotClients'> => ({
  storms: [...counts.keys.values()]
    .filter(isStorm)
    .sort(worstFirst)
    .slice(0, MOST_STORMS)
    .map(({ db, key, attempts, failed, failedRate, clients }) => ({
      ...{ db, key, attempts, failed },
      perSecond: failedRate.most,
      clients: clients.size,
    })),
  hotClients: [...counts.clients.values()]
    .filter(isStorm)
    .sort(worstFirst)
    .slice(0, MOST_STORMS)
    .map(({ addr, attempts, failed, failedRate, keys }) => ({
      ...{ addr, attempts, failed, keys },
      name: names.of(addr).name,
      perSecond: failedRate.most,
    })),
});
