import type { LockFormat } from '@/lib/formats/format';
import { printable } from '@/lib/protocol/bytes';
import type { LibrariesPage, Library, Pin } from '@/lib/protocol/libraries';
import type { PinRow } from '@/server/store/store-contract';
import type { QueryContext } from './query-context';

/** A pin as it travels. */
export const toPin = ({ pattern, ...rest }: PinRow): Pin => ({
  pattern: printable(pattern),
  ...rest,
});

/** What is pinned, newest first. */
export const pins = ({ formats }: QueryContext): Pin[] => formats.pins.list().map(toPin);

interface Counts {
  locks: number;
  held: number;
}

/** What is pinned, which libraries are known, and how many locks each has now. */
export function libraries({ formats, table, discoveries }: QueryContext): LibrariesPage {
  const byFormat = new Map<string, Counts>();
  const byPin = new Map<PinRow, number>();
  for (const { key, format, state, formatBecause } of table.all()) {
    const counts = byFormat.get(format.id) ?? { locks: 0, held: 0 };
    counts.locks++;
    if (state === 'held') counts.held++;
    byFormat.set(format.id, counts);
    const pin = formatBecause?.id === 'pinned' ? formats.pins.find(key) : null;
    if (pin) byPin.set(pin, (byPin.get(pin) ?? 0) + 1);
  }
  return {
    pins: formats.pins.list().map((pin) => ({ ...toPin(pin), locks: byPin.get(pin) ?? 0 })),
    libraries: formats.table.formats.map((format) =>
      toLibrary(format, byFormat.get(format.id) ?? { locks: 0, held: 0 }),
    ),
    discoveries: discoveries.list(),
  };
}

function toLibrary(format: LockFormat, { locks, held }: Counts): Library {
  const { id, name, kind, type, prefixes, waiters, release, wake, readOnly } = format;
  const isWoken = waiters === 'fair-queue' || waiters === 'pubsub';
  return {
    ...{ id, name, kind, type, waiters, readOnly, locks, held },
    prefixes: prefixes.map(printable),
    wakes: release !== null && !readOnly && (wake !== undefined || isWoken),
    oldHolder: format.oldHolder ?? 'fails',
  };
}
