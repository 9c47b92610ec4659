/** What the bench asks a process of readers to do. */
export interface Job {
  port: number;
  name: string;
  readers: number;
  /** One subscription for all its readers, or one for each, as if each were a process of its own. */
  subscriptions: 'shared' | 'own';
}

/** What is published: a table of settings of about a kilobyte, and when its change was asked for. */
export interface Settings {
  /** By the clock that all processes of a machine share. */
  askedAt: number;
  change: number;
  rates: Record<string, number>;
}

export type FromReaders =
  | { ready: true }
  /** Every reader of the process has that change: what passed since it was asked for, in ms, one each. */
  | { change: number; tookMs: number[] }
  | { failed: string };

const RATES = 60;

export const settings = (change: number, askedAt: number): Settings => ({
  askedAt,
  change,
  rates: Object.fromEntries(
    Array.from({ length: RATES }, (_, i) => [`region-${i}`, change * 1000 + i]),
  ),
});

/** What a service does with what it reads before it uses it. */
export function checkSettings(content: unknown): Settings {
  if (typeof content === 'object' && content !== null && 'rates' in content) {
    const { askedAt, change, rates } = content as Settings;
    const values = Object.values(rates);
    if (values.length === RATES && values.every((value) => Number.isFinite(value))) {
      return { askedAt, change, rates };
    }
  }
  throw new Error('these are no settings');
}
