import { isCodedError } from '@/lib/protocol/errors';
import type { Store } from './store-contract';

/** What is learnt while the console runs; `version` grows when it is another. */
export interface Learnt {
  save: () => unknown;
  readonly version: number;
  restore: (saved: unknown) => void;
}

export interface KeptDocument {
  /** Takes over what is kept of this target. */
  restore: () => Promise<void>;
  /** Writes it where something was learnt since the last time. */
  save: () => Promise<void>;
  /** The same, but not while it rests: it rests a hundred times as long as it last took. */
  saveInTurn: () => Promise<void>;
}

/** What is learnt of thousands of locks takes a second to write: that may be no more than a hundredth of the time. */
const REST_TIMES = 100;

/** Keeps over a restart what is learnt of one target, as one document of that kind. */
export function createKeptDocument({
  store,
  target,
  kind,
  learnt,
  elapsedMs = () => performance.now(),
}: {
  store: Pick<Store, 'saveDocument' | 'documents' | 'health'>;
  target: string;
  kind: string;
  learnt: Learnt;
  elapsedMs?: () => number;
}): KeptDocument {
  let savedVersion = 0;
  let restsUntil = -Infinity;

  const save = async (): Promise<void> => {
    const { version } = learnt;
    if (version === savedVersion || !store.health.ok) return;
    const beganAt = elapsedMs();
    try {
      await store.saveDocument({ kind, id: target, value: learnt.save() });
      savedVersion = version;
    } catch (error) {
      // The store has just broken: its health says so, and the next turn tries again.
      if (!isCodedError(error)) throw error;
    }
    const endedAt = elapsedMs();
    restsUntil = endedAt + REST_TIMES * (endedAt - beganAt);
  };

  return {
    restore: async () => {
      for (const { id, value } of await store.documents(kind)) {
        if (id === target) learnt.restore(value);
      }
      savedVersion = learnt.version;
    },
    save,
    saveInTurn: async () => {
      if (elapsedMs() >= restsUntil) await save();
    },
  };
}
