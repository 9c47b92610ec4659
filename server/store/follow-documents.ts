import { isCodedError } from '@/lib/protocol/errors';
import type { Store, VersionedDocument } from './store-contract';

/** What operators set of one kind, as this console holds it in memory. */
export interface Followed {
  kind: string;
  /** Another number whenever somebody changed it here. */
  edits: () => number;
  /** Takes the place of all that is there. */
  replace: (documents: readonly VersionedDocument[]) => void;
}

/** How soon what is set on another console of the same database holds here. */
export const FOLLOW_EVERY_MS = 3000;

/** Looks whether another console of the same database changed what operators set, and takes it up. */
export function createDocumentFollower({
  store,
  followed,
  changed,
}: {
  store: Pick<Store, 'documents' | 'documentStates' | 'health'>;
  followed: readonly Followed[];
  /** Called when something of it was taken up. */
  changed: () => void;
}) {
  /** What was taken up last, and the edits that were made here until then. */
  const known = new Map<string, { state: string | undefined; edits: number }>();

  const takeUp = async (one: Followed, state: string | undefined): Promise<boolean> => {
    const edits = one.edits();
    const last = known.get(one.kind);
    // What was set here and taken back elsewhere leaves the state as it was.
    if (last && last.state === state && last.edits === edits) return false;
    const documents = await store.documents(one.kind);
    // What was set here meanwhile may be missing from what was read: the next turn reads it.
    if (one.edits() !== edits) return false;
    one.replace(documents);
    known.set(one.kind, { state, edits });
    return true;
  };

  return async (): Promise<void> => {
    if (!store.health.ok) return;
    try {
      const states = await store.documentStates(followed.map(({ kind }) => kind));
      let isChanged = false;
      for (const one of followed) {
        if (await takeUp(one, states.get(one.kind))) isChanged = true;
      }
      if (isChanged) changed();
    } catch (error) {
      // The store has just broken: its health says so, and the next turn looks again.
      if (!isCodedError(error)) throw error;
    }
  };
}
