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
}

/** Keeps over a restart what is learnt of one target, as one document of that kind. */
export function createKeptDocument({
  store,
  target,
  kind,
  learnt,
}: {
  store: Pick<Store, 'saveDocument' | 'documents' | 'health'>;
  target: string;
  kind: string;
  learnt: Learnt;
}): KeptDocument {
  let savedVersion = 0;
  return {
    restore: async () => {
      for (const { id, value } of await store.documents(kind)) {
        if (id === target) learnt.restore(value);
      }
      savedVersion = learnt.version;
    },
    save: async () => {
      const { version } = learnt;
      if (version === savedVersion || !store.health.ok) return;
      try {
        await store.saveDocument({ kind, id: target, value: learnt.save() });
        savedVersion = version;
      } catch (error) {
        // The store has just broken: its health says so, and the next turn tries again.
        if (!isCodedError(error)) throw error;
      }
    },
  };
}
