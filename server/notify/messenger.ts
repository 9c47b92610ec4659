import { sentence } from '@/lib/messages/sentence';
import type { Alert } from '@/lib/protocol/alert';
import type { ChannelSettings } from '@/lib/protocol/notify';
import { TIMEOUT_MS } from './failure';
import { remind, send } from './kinds';
import type { NoticeRecord } from './notice-record';
import { failed, type Outcome } from './outcome';

export interface Messenger {
  send: (
    settings: ChannelSettings,
    message: { id: string; notices: readonly NoticeRecord[] },
  ) => Promise<Outcome>;
  /** Tells once more of what still fires. */
  remind: (settings: ChannelSettings, alerts: readonly Alert[]) => Promise<Outcome>;
}

/** Sends messages, each within its time, until `stopping` aborts. Never rejects. */
export function createMessenger(options: {
  publicUrl: string;
  stopping: AbortSignal;
  now: () => number;
}): Messenger {
  const { publicUrl, stopping, now } = options;
  const within = async (work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> => {
    try {
      return await work(AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stopping]));
    } catch (error) {
      // A fault in this program must not end the console: it is told like any failure.
      process.emitWarning(`a notice could not be sent: ${stackOf(error)}`);
      return failed(sentence('notify:fault', {}));
    }
  };
  return {
    send: (settings, message) =>
      within((signal) => send(settings, { ...message, publicUrl, now: now(), signal })),
    remind: (settings, alerts) =>
      within((signal) => remind(settings, alerts, { publicUrl, now: now(), signal })),
  };
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
