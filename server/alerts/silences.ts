import { z } from 'zod';
import { compileMatcher } from '@/lib/analysis/alert-matcher';
import type { Alert } from '@/lib/protocol/alert';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import { Matcher, type Silence } from '@/lib/protocol/rules';
import type { StoredDocument } from '@/server/store/store-contract';

export const SILENCE_KIND = 'silence';

/** A silence as it is stored. */
export const SilenceDocument = z.object({
  id: z.string(),
  matcher: Matcher,
  since: z.number().int(),
  until: z.number().int(),
  actor: z.string(),
  reason: z.string(),
});
export type SilenceDocument = z.infer<typeof SilenceDocument>;

/** Silences by matcher. No clock, no I/O: who changes it keeps the documents. */
export interface SilenceBook {
  add: (silence: SilenceDocument) => void;
  /** What was ended, or undefined. */
  end: (id: string) => SilenceDocument | undefined;
  get: (id: string) => SilenceDocument | undefined;
  /** The one that keeps the alert quiet at `now`: of several the one that lasts longest. */
  match: (alert: Alert, now: number) => SilenceDocument | null;
  /** Those that go on at `now`, the first to end first; `matching` counts the alerts of one. */
  list: (now: number, matching: (id: string) => number) => Silence[];
  /** Forgets and returns the ids of those that are over. */
  dropOver: (now: number) => string[];
  /** Another number whenever one is added or ended. */
  readonly edits: number;
  /** Takes the place of all that are there. What is no silence any more (of another version) is left out. */
  restore: (documents: readonly StoredDocument[]) => void;
  readonly size: number;
}

interface Kept {
  silence: SilenceDocument;
  fits: (alert: Alert) => boolean;
}

export function createSilences(): SilenceBook {
  const kept = new Map<string, Kept>();
  /** Asked for each alert several times a second; an alert that changed is another object. */
  let known = new WeakMap<Alert, readonly SilenceDocument[]>();
  /** The names of the alert that is looked at: each is tried on the patterns of all silences. */
  const names = new Map<string, Bytes>();
  const bytesOf = (name: string): Bytes => {
    let bytes = names.get(name);
    if (bytes === undefined) names.set(name, (bytes = bytesFromText(name)));
    return bytes;
  };
  const fitting = (alert: Alert): readonly SilenceDocument[] => {
    if (kept.size === 0) return [];
    const remembered = known.get(alert);
    if (remembered) return remembered;
    names.clear();
    const found = [...kept.values()].flatMap(({ silence, fits }) => (fits(alert) ? [silence] : []));
    known.set(alert, found);
    return found;
  };
  const forget = (): void => void (known = new WeakMap());
  let edits = 0;
  const put = (silence: SilenceDocument): void => {
    kept.set(silence.id, { silence, fits: compileMatcher(silence.matcher, bytesOf) });
  };
  return {
    add: (silence) => {
      edits += 1;
      forget();
      put(silence);
    },
    get edits() {
      return edits;
    },
    end: (id) => {
      edits += 1;
      const silence = kept.get(id)?.silence;
      kept.delete(id);
      forget();
      return silence;
    },
    get: (id) => kept.get(id)?.silence,
    match: (alert, now) => {
      let longest: SilenceDocument | null = null;
      for (const silence of fitting(alert)) {
        if (silence.until <= now || silence.until <= (longest?.until ?? 0)) continue;
        longest = silence;
      }
      return longest;
    },
    list: (now, matching) =>
      [...kept.values()]
        .map(({ silence }) => silence)
        .filter(({ until }) => until > now)
        .toSorted((a, b) => a.until - b.until)
        .map((silence) => ({ ...silence, matching: matching(silence.id) })),
    dropOver: (now) => {
      const over = [...kept.values()].flatMap(({ silence }) =>
        silence.until <= now ? [silence.id] : [],
      );
      for (const id of over) kept.delete(id);
      if (over.length > 0) {
        edits += 1;
        forget();
      }
      return over;
    },
    restore: (documents) => {
      kept.clear();
      forget();
      for (const { kind, value } of documents) {
        const silence = kind === SILENCE_KIND ? SilenceDocument.safeParse(value) : null;
        if (silence?.success) put(silence.data);
      }
    },
    get size() {
      return kept.size;
    },
  };
}
