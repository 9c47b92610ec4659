import type { Followed } from '@/server/store/follow-documents';
import { CHANNEL, ROUTES, type ChannelBook } from './channel-book';

export interface FollowingOptions {
  book: ChannelBook;
  /** Has those that are gone told nobody, and begins those that are others anew. */
  rechannel: (others: readonly string[]) => Promise<void>;
  /** Tells what fires now to whom the routes lead. */
  reroute: () => Promise<void>;
  /** Called when the book is another. */
  replaced: () => void;
}

/** Takes up the channels and routes that another console of the same database set. */
export function createFollowing({ book, rechannel, reroute, replaced }: FollowingOptions) {
  const others = new Set<string>();
  let isRechanneled = false;
  let isRerouted = false;
  const edits = (): number => book.edits;
  const followed: readonly Followed[] = [
    {
      ...{ kind: CHANNEL, edits },
      replace: (documents) => {
        for (const { id } of book.replaceChannels(documents)) others.add(id);
        isRechanneled = true;
        replaced();
      },
    },
    {
      ...{ kind: ROUTES, edits },
      replace: (documents) => {
        book.replaceRoutes(documents);
        isRerouted = true;
        replaced();
      },
    },
  ];
  return {
    followed,
    /** Does what follows from it. */
    turn: async (): Promise<void> => {
      if (isRechanneled) {
        isRechanneled = false;
        const begun = [...others];
        others.clear();
        await rechannel(begun);
      }
      if (isRerouted) {
        isRerouted = false;
        await reroute();
      }
    },
  };
}
