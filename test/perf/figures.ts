/** The figures that Lockscope aims at. `meets` compares a measured value with the aim. */
interface Aim {
  name: string;
  /** The aim as people read it. */
  aim: string;
  meets: (value: number) => boolean;
  unit: string;
}

const atMost = (limit: number) => (value: number) => value <= limit;
const atLeast = (limit: number) => (value: number) => value >= limit;

export const AIMS: readonly Aim[] = [
  { name: 'watch.cpuPerMillion.ratioToIoredis', aim: '≤ 0.6', meets: atMost(0.6), unit: '×' },
  { name: 'watch.lapseDetectMs.p99', aim: '≤ 50', meets: atMost(50), unit: 'ms' },
  { name: 'watch.lapseMissed', aim: '0', meets: atMost(0), unit: '' },
  { name: 'watch.silentLosses', aim: '0', meets: atMost(0), unit: '' },
  { name: 'watch.eventsPerSecond', aim: '≥ 200,000', meets: atLeast(200_000), unit: '/s' },
  { name: 'watch.lagMsAtEnd', aim: '< 1,000', meets: atMost(1000), unit: 'ms' },
  { name: 'watch.bytesPerLock', aim: '≤ 180', meets: atMost(180), unit: 'B' },
  { name: 'watch.startupMs.perMillionKeys', aim: '≤ 5,000', meets: atMost(5000), unit: 'ms' },
  { name: 'watch.startup.redisP99Ratio', aim: '≤ 1.1', meets: atMost(1.1), unit: '×' },
  { name: 'redis.cpuRatio', aim: '≤ 1.40', meets: atMost(1.4), unit: '×' },
  { name: 'redis.cpuRatio.otherKeys', aim: '≤ 1.20', meets: atMost(1.2), unit: '×' },
  { name: 'redis.p99Ratio.at5000', aim: '≤ 1.10', meets: atMost(1.1), unit: '×' },
  { name: 'live.eventToBrowserMs.p99.at1000', aim: '≤ 30', meets: atMost(30), unit: 'ms' },
  { name: 'live.eventToBrowserMs.p99.at20000', aim: '≤ 100', meets: atMost(100), unit: 'ms' },
  { name: 'heatmap.frameMs.p95', aim: '≤ 16', meets: atMost(16), unit: 'ms' },
  { name: 'page.interactiveMs', aim: '≤ 1,500', meets: atMost(1500), unit: 'ms' },
  { name: 'page.jsKilobytes', aim: '≤ 250', meets: atMost(250), unit: 'KB' },
  { name: 'store.rowsPerSecond.ratioToWide', aim: '≥ 4', meets: atLeast(4), unit: '×' },
  { name: 'store.mainLoopBlockedMs.max', aim: '≤ 5', meets: atMost(5), unit: 'ms' },
  { name: 'store.heatmapQueryMs.p99', aim: '≤ 300', meets: atMost(300), unit: 'ms' },
  { name: 'store.lostRows', aim: '0', meets: atMost(0), unit: '' },
  { name: 'waits.p99Error', aim: '≤ 0.01', meets: atMost(0.01), unit: '' },
  { name: 'lock.uncontended.1.ratio', aim: '≥ 0.95', meets: atLeast(0.95), unit: '×' },
  { name: 'lock.uncontended.16.ratio', aim: '≥ 1.3', meets: atLeast(1.3), unit: '×' },
  { name: 'lock.uncontended.64.ratio', aim: '≥ 2', meets: atLeast(2), unit: '×' },
  { name: 'lock.contended.p99OverIdeal', aim: '≤ 1.5', meets: atMost(1.5), unit: '×' },
  { name: 'lock.contended.maxMin', aim: '≤ 1.05', meets: atMost(1.05), unit: '×' },
  { name: 'lock.contended.commandsPerAcquire', aim: '≤ 3', meets: atMost(3), unit: '' },
  { name: 'lock.contended.overlaps', aim: '0', meets: atMost(0), unit: '' },
  { name: 'lock.contended.fencesOutOfOrder', aim: '0', meets: atMost(0), unit: '' },
  { name: 'stock.deductionsPerSecond', aim: '≥ 58,000', meets: atLeast(58_000), unit: '/s' },
  { name: 'stock.oversold', aim: '0', meets: atMost(0), unit: '' },
  { name: 'takeover.p99Ms', aim: '≤ 1,500', meets: atMost(1500), unit: 'ms' },
  { name: 'config.readersUpdatedMs.p99', aim: '≤ 500', meets: atMost(500), unit: 'ms' },
  { name: 'config.arithmetic.millionReadersMs', aim: '< 2,000', meets: atMost(1999), unit: 'ms' },
  { name: 'advice.contentionDrop', aim: '≥ 0.42', meets: atLeast(0.42), unit: '' },
  { name: 'advice.heldTimeDrop', aim: '≥ 0.37', meets: atLeast(0.37), unit: '' },
  { name: 'advice.abnormalReleases', aim: '≤ 0.0002', meets: atMost(0.0002), unit: '' },
  { name: 'deadlock.detectMs.p99', aim: '≤ 1,000', meets: atMost(1000), unit: 'ms' },
  { name: 'deadlock.missed', aim: '0', meets: atMost(0), unit: '' },
  { name: 'deadlock.phantom', aim: '0', meets: atMost(0), unit: '' },
  { name: 'prediction.precision', aim: '≥ 0.95', meets: atLeast(0.95), unit: '' },
  { name: 'prediction.recall', aim: '≥ 0.95', meets: atLeast(0.95), unit: '' },
];

export type Figures = Record<string, number>;

function shown(value: number): string {
  const digits = value === 0 || Math.abs(value) >= 10 ? 0 : Math.abs(value) < 0.1 ? 5 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}

/** One line of the table: name, figure, aim, met or not. Figures without an aim are context. */
export function figureLine(name: string, value: number): string {
  const aim = AIMS.find((candidate) => candidate.name === name);
  const figure = `${shown(value)}${aim?.unit ? ` ${aim.unit}` : ''}`;
  const verdict = aim ? `${aim.aim.padStart(10)}  ${aim.meets(value) ? 'met' : 'NOT MET'}` : '';
  return `${name.padEnd(40)}${figure.padStart(14)}  ${verdict}`.trimEnd();
}
