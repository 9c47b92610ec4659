import { printable, type Bytes } from '@/lib/protocol/bytes';
import { createClassifier, type Seen } from '@/server/watch/trace/classifier';
import { createStreamState } from '@/server/watch/trace/stream-state';
import type { KnownLock } from '@/server/watch/trace/trace-contract';

/** When the trace began, by both clocks. */
export const BEGAN = Date.UTC(2026, 10, 2, 14, 0, 0);
const CLIENT = '10.0.0.7:50001';

/** Redis's own escaping of an argument in MONITOR. */
const quoted = (text: Bytes): string =>
  `"${[...text]
    .map((char) => {
      const code = char.charCodeAt(0);
      if (char === '"' || char === '\\') return `\\${char}`;
      if (char === '\n') return '\\n';
      if (char === '\r') return '\\r';
      if (code >= 0x20 && code < 0x7f) return char;
      return `\\x${code.toString(16).padStart(2, '0')}`;
    })
    .join('')}"`;

/** A line of MONITOR as Redis 7 writes it, without its `+`. `atMs` counts from {@link BEGAN}. */
export function monitorLine(
  words: readonly Bytes[],
  { from = CLIENT, atMs = 0, db = 0 }: { from?: string; atMs?: number; db?: number } = {},
): string {
  const seconds = ((BEGAN + atMs) / 1000).toFixed(6);
  return `${seconds} [${db} ${from}] ${words.map(quoted).join(' ')}`;
}

/** One step of a stream: a command as words with spaces between, or a script call and what it did inside. */
export type Step = string | { call: readonly string[]; inside: readonly string[]; from?: string };

/** A held lock as the table knows it: a string `value`, held since a minute before the trace. */
export const heldBefore = (value: Bytes | null, more: Partial<KnownLock> = {}): KnownLock => ({
  format: 'redlock',
  exists: true,
  value,
  since: BEGAN - 60_000,
  isSinceSeen: true,
  deadline: BEGAN + 60_000,
  ...more,
});

export interface ClassifyOptions {
  locks?: Record<string, KnownLock>;
  /** Side keys and channels by the lock they belong to. */
  sides?: Record<string, string>;
  channels?: Record<string, string>;
  own?: readonly string[];
}

/** A classifier whose every key is traced, and what it saw. */
export function aClassifier({ locks = {}, sides = {}, channels = {}, own = [] }: ClassifyOptions) {
  const seen: Seen[] = [];
  const classifier = createClassifier({
    state: createStreamState({
      locks: { get: (_db, key) => locks[key] ?? null },
      startedAt: BEGAN,
      aheadMs: () => 0,
    }),
    traced: {
      ofKey: (_db, key) => sides[key] ?? key,
      ofChannel: (channel) => {
        const key = channels[channel];
        return key === undefined ? null : { db: 0, key };
      },
    },
    isOwn: (client) => own.includes(client),
    onSeen: (one) => seen.push(one),
  });
  return { classifier, seen };
}

/** What a stream of commands did: `key deed`, with `?` where it is inferred. A millisecond lies between steps. */
export function deedsOf(steps: readonly Step[], options: ClassifyOptions = {}): string[] {
  const { classifier, seen } = aClassifier(options);
  steps.forEach((step, atMs) => {
    if (typeof step === 'string') return classifier.line(monitorLine(step.split(' '), { atMs }));
    classifier.line(monitorLine(step.call, { atMs, ...(step.from && { from: step.from }) }));
    for (const inner of step.inside) {
      classifier.line(monitorLine(inner.split(' '), { atMs, from: 'lua' }));
    }
  });
  classifier.flush();
  return seen.map(
    ({ key, deed, isObserved }) => `${printable(key)} ${deed}${isObserved ? '' : '?'}`,
  );
}
