import { ConfigError, integer } from './setting';
import type { Retention, Tier } from './store/history-contract';
import { DEFAULT_RETENTION } from './store/tiers';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const UNITS = new Map([
  ['s', SECOND_MS],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', DAY_MS],
]);
const LONGEST_MS = 3650 * DAY_MS;
/** As disks are sold, and as the page of settings shows them. */
const MEGABYTE = 1_000_000;
/** The tables alone, and what is written between two looks at the disk, take some of it. */
const LEAST_MEGABYTES = 64;
const MOST_MEGABYTES = 100_000_000;

const EXAMPLE = '10s:2h,1m:24h,5m:7d,1h:90d';

/** As given in the environment or in the file; undefined = the default. */
interface Given {
  history: string | undefined;
  holds: string | undefined;
  maxMegabytes: string | undefined;
}

/** How much of the past is kept. Throws {@link ConfigError} with one sentence for what cannot be used. */
export function parseRetention({ history, holds, maxMegabytes }: Given): Retention {
  return {
    tiers: history === undefined ? DEFAULT_RETENTION.tiers : parseTiers(history),
    keepHoldsMs:
      holds === undefined
        ? DEFAULT_RETENTION.keepHoldsMs
        : duration(holds, 'LOCKSCOPE_HISTORY_HOLDS must be a time like 12h or 7d'),
    maxBytes: parseBound(maxMegabytes),
  };
}

function duration(text: string, demand: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
  const ms = Number(digits) * (UNITS.get(unit) ?? 0);
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw new ConfigError(`${demand}, 3650d at most, but is "${text}".`);
}

function parseTiers(text: string): Tier[] {
  const demand = `LOCKSCOPE_HISTORY must be lengths of steps with how long they are kept, like ${EXAMPLE}`;
  const tiers = text.split(',').map((part): Tier => {
    const [span = '', keep = '', ...more] = part.trim().split(':');
    if (more.length > 0) throw new ConfigError(`${demand}, but is "${text}".`);
    return { spanMs: duration(span, demand), keepMs: duration(keep, demand) };
  });
  const finest = DEFAULT_RETENTION.tiers[0]?.spanMs ?? 0;
  if (tiers[0]?.spanMs !== finest) {
    throw new ConfigError(
      `LOCKSCOPE_HISTORY must begin with steps of ${finest / SECOND_MS}s, as in ${EXAMPLE}, but is "${text}".`,
    );
  }
  for (const [i, tier] of tiers.entries()) {
    const before = tiers[i - 1];
    if (before && (tier.spanMs <= before.spanMs || tier.spanMs % before.spanMs !== 0)) {
      throw new ConfigError(
        `LOCKSCOPE_HISTORY must have each step a multiple of the one before, as in ${EXAMPLE}, but is "${text}".`,
      );
    }
    if (tier.keepMs <= Math.max(before?.keepMs ?? 0, tier.spanMs)) {
      throw new ConfigError(
        `LOCKSCOPE_HISTORY must keep each step for longer than it lasts and than the one before is kept, as in ${EXAMPLE}, but is "${text}".`,
      );
    }
  }
  return tiers;
}

function parseBound(text: string | undefined): number | null {
  const name = 'LOCKSCOPE_HISTORY_MAX_MB';
  const megabytes = integer(name, text, [0, MOST_MEGABYTES]);
  if (megabytes === undefined) return DEFAULT_RETENTION.maxBytes;
  if (megabytes === 0) return null;
  if (megabytes >= LEAST_MEGABYTES) return megabytes * MEGABYTE;
  throw new ConfigError(
    `${name} must be ${LEAST_MEGABYTES} or more, or 0 for no bound, but is "${text}".`,
  );
}
