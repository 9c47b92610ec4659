import type { Redis } from 'ioredis';
import { createTraceClient, unavailable, withinTimeout } from '@/server/redis/connection-options';
import { endOf } from '@/server/redis/event-connection';
import { clientRow, parseInfo } from '@/server/redis/info';

const BASELINE_PINGS = 9;

/** A connection beside the trace's own that measures what the trace does to Redis. */
export interface CostProbe {
  /** The last answered PING; while one waits longer than that, how long it has waited. Null before the first. */
  readonly pingMs: number | null;
  readonly pingWorstMs: number | null;
  readonly pingBaselineMs: number | null;
  readonly cpuShare: number | null;
  readonly cpuBaseline: number | null;
  /** What Redis holds back for the traced connection. */
  readonly bufferBytes: number | null;
  /** Sends a PING unless one is on its way, and asks for the buffer of `clientId`. */
  ask: (clientId: number | null) => void;
  /** Measures the share of a core that Redis used since the last time. */
  askCpu: () => Promise<void>;
  /** Rows of CLIENT LIST; null where it is forbidden. */
  clients: () => Promise<Map<string, string>[] | null>;
  close: () => Promise<void>;
}

/** Opens the connection and measures how it is without a trace. Rejects with TARGET_UNAVAILABLE. */
export async function openCostProbe(url: string): Promise<CostProbe> {
  const client = createTraceClient(url);
  const failed = new Promise<never>((_, reject) => client.once('error', reject));
  client.on('error', () => undefined);
  try {
    await withinTimeout(Promise.race([client.connect(), failed]));
    const probe = new RedisCost(client);
    await probe.measureBaseline();
    return probe;
  } catch (error) {
    await endOf(client);
    throw unavailable(url, error);
  }
}

class RedisCost implements CostProbe {
  readonly #client: Redis;
  #pingSentAt: number | null = null;
  #lastPingMs: number | null = null;
  #isAskingBuffer = false;
  #cpu: { at: number; usedMs: number } | null = null;
  #closed = false;
  pingWorstMs: number | null = null;
  pingBaselineMs: number | null = null;
  cpuShare: number | null = null;
  cpuBaseline: number | null = null;
  bufferBytes: number | null = null;

  constructor(client: Redis) {
    this.#client = client;
  }

  get pingMs(): number | null {
    const waitingMs = this.#pingSentAt === null ? 0 : performance.now() - this.#pingSentAt;
    const pingMs = Math.max(this.#lastPingMs ?? 0, waitingMs);
    return this.#lastPingMs === null && this.#pingSentAt === null ? null : pingMs;
  }

  async measureBaseline(): Promise<void> {
    await this.askCpu();
    const times: number[] = [];
    for (let i = 0; i < BASELINE_PINGS; i++) {
      const began = performance.now();
      await this.#client.ping();
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.pingBaselineMs = times.toSorted((a, b) => a - b)[BASELINE_PINGS >> 1] ?? null;
    await this.askCpu();
    this.cpuBaseline = this.cpuShare;
  }

  ask(clientId: number | null): void {
    if (this.#closed) return;
    if (this.#pingSentAt === null) void this.#ping();
    if (clientId !== null && !this.#isAskingBuffer) void this.#askBuffer(clientId);
  }

  async askCpu(): Promise<void> {
    const text = await this.#allowed(() => this.#client.info('cpu'));
    if (text === null) return;
    const fields = parseInfo(text);
    const seconds =
      Number(fields.get('used_cpu_user') ?? Number.NaN) +
      Number(fields.get('used_cpu_sys') ?? Number.NaN);
    if (!Number.isFinite(seconds)) return;
    const now = { at: performance.now(), usedMs: 1000 * seconds };
    if (this.#cpu) this.cpuShare = (now.usedMs - this.#cpu.usedMs) / (now.at - this.#cpu.at);
    this.#cpu = now;
  }

  async clients(): Promise<Map<string, string>[] | null> {
    const text = await this.#allowed(async () => String(await this.#client.call('CLIENT', 'LIST')));
    return text === null ? null : text.split('\n').filter(Boolean).map(clientRow);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await endOf(this.#client);
  }

  async #ping(): Promise<void> {
    const sentAt = performance.now();
    this.#pingSentAt = sentAt;
    try {
      await this.#client.ping();
      const tookMs = performance.now() - sentAt;
      this.#lastPingMs = tookMs;
      this.pingWorstMs = Math.max(this.pingWorstMs ?? 0, tookMs);
      this.#pingSentAt = null;
    } catch {
      // The connection is gone: the PING stays unanswered, which the guard takes for what it is.
    }
  }

  async #askBuffer(clientId: number): Promise<void> {
    this.#isAskingBuffer = true;
    const text = await this.#allowed(async () =>
      String(await this.#client.call('CLIENT', ['LIST', 'ID', String(clientId)])),
    );
    // Where it is refused, or Redis is too old to be asked for one client, it is never asked again.
    if (text === null) return;
    const held = clientRow(text).get('omem');
    this.bufferBytes = held === undefined ? null : Number(held);
    this.#isAskingBuffer = false;
  }

  async #allowed<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch {
      // Refused, unknown to an old Redis, or the connection is gone: the figure is shown as not known.
      return null;
    }
  }
}
