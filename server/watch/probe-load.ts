import type { ProbeLoad } from '@/lib/protocol/target';

export type ProbeKind = ProbeLoad['kind'];

const STEP_MS = 5_000;
/** Rates are those of this span, or of the time since the first question. */
const SPAN_MS = 60_000;
/** A rate of less than this would make one round of questions look like very many. */
const LEAST_MS = 5_000;

interface Asked {
  firstAt: number;
  /** Commands by step of time, oldest first. */
  steps: { at: number; commands: number }[];
  lastMs: number | null;
  locks: number;
  /** Redis's own count of the time spent, as it was at these times, oldest first. */
  spent: { at: number; usec: number }[];
}

/** What the questions about waiters cost Redis. */
export interface ProbeLoads {
  /** `ms` = from question to answer, null where they went with others; `locks` = asked about. */
  asked: (kind: ProbeKind, round: { commands: number; ms: number | null; locks: number }) => void;
  /** Redis's running totals of the microseconds spent on the commands of each kind. */
  spent: (usec: ReadonlyMap<ProbeKind, number>) => void;
  /** Kinds that were asked at all. */
  readonly loads: ProbeLoad[];
}

export function createProbeLoads(now: () => number): ProbeLoads {
  const kinds = new Map<ProbeKind, Asked>();

  const of = (kind: ProbeKind): Asked => {
    const known = kinds.get(kind);
    if (known) return known;
    const fresh: Asked = { firstAt: now(), steps: [], lastMs: null, locks: 0, spent: [] };
    kinds.set(kind, fresh);
    return fresh;
  };

  return {
    asked: (kind, { commands, ms, locks }) => {
      const asked = of(kind);
      const at = now();
      const last = asked.steps.at(-1);
      if (last && at - last.at < STEP_MS) last.commands += commands;
      else asked.steps.push({ at, commands });
      forget(asked.steps, at);
      asked.lastMs = ms === null ? null : Math.round(ms * 100) / 100;
      asked.locks = locks;
    },
    spent: (usec) => {
      const at = now();
      for (const [kind, asked] of kinds) {
        const total = usec.get(kind);
        if (total === undefined) continue;
        // Somebody set the counters back.
        if (total < (asked.spent.at(-1)?.usec ?? 0)) asked.spent = [];
        asked.spent.push({ at, usec: total });
        forget(asked.spent, at);
      }
    },
    get loads() {
      const at = now();
      return [...kinds].map(([kind, asked]) => {
        forget(asked.steps, at);
        const commands = asked.steps.reduce((sum, step) => sum + step.commands, 0);
        const spanMs = Math.min(SPAN_MS, Math.max(LEAST_MS, at - asked.firstAt));
        return {
          kind,
          perSecond: Math.round((commands / spanMs) * 10_000) / 10,
          lastMs: asked.lastMs,
          locks: asked.locks,
          usecPerSecond: spentPerSecond(asked.spent),
        };
      });
    },
  };
}

function forget(steps: { at: number }[], now: number): void {
  while ((steps[0]?.at ?? now) < now - SPAN_MS) steps.shift();
}

function spentPerSecond(spent: Asked['spent']): number | null {
  const [first, last] = [spent[0], spent.at(-1)];
  if (!first || !last || last.at === first.at) return null;
  return Math.round(((last.usec - first.usec) / (last.at - first.at)) * 1000);
}

/** Names in INFO commandstats; servers before 7.0 do not count subcommands apart. */
const COMMANDS: Record<ProbeKind, readonly string[]> = {
  subscribers: ['pubsub|numsub', 'pubsub|shardnumsub'],
  channels: ['pubsub|channels', 'pubsub|shardchannels'],
  clients: ['client|list'],
  'idle-time': ['object|idletime'],
  changelog: ['zrevrange'],
  jobs: ['lpos'],
};

/** The microseconds that Redis has spent on the commands of each kind, of all clients. */
export function spentOn(stats: ReadonlyMap<string, string>): Map<ProbeKind, number> {
  const spent = new Map<ProbeKind, number>();
  for (const [kind, commands] of kindsOf(COMMANDS)) {
    const usec = commands.flatMap((command) => {
      const found = /(?:^|,)usec=(\d+)/.exec(stats.get(`cmdstat_${command}`) ?? '');
      return found ? [Number(found[1])] : [];
    });
    if (usec.length > 0) {
      spent.set(
        kind,
        usec.reduce((sum, each) => sum + each, 0),
      );
    }
  }
  return spent;
}

/** `Object.entries` forgets the names; a table that is written out in full has no others. */
const kindsOf = <T>(table: Readonly<Record<ProbeKind, T>>) =>
  Object.entries(table) as [ProbeKind, T][];
