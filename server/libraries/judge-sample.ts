import type { FormatTable } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { KeyContent } from '@/server/watch/read-script';
import { EXAMPLES, type Fit, type KeyClass } from './class-book';

/** What any value is when its name is declared to be a lock's. */
const CATCH_ALL = 'pattern';
const SHORT_MS = 3_600_000;
const LOCK_CHANNEL = 'redisson_lock__channel:';

export interface Sample {
  key: Bytes;
  /** Null where it may not be read. */
  content: KeyContent | null;
  /** Wake-up channels of this name that somebody listens to. */
  listened: readonly Bytes[];
}

/** The libraries whose lock a key may be; none where it looks like no lock. */
export function fitsOf(
  formats: FormatTable,
  { key, content, listened }: Sample,
  now: number,
): Fit[] {
  if (!content?.value) return listenedFit(formats, listened);
  const { value, pttl, beside } = content;
  const context = { now, pttl, beside, listened };
  const sure = formats.recognise(key, value, { ...context, declared: false });
  if (sure && sure.format.id !== CATCH_ALL) {
    return [{ format: sure.format, recognition: sure.recognition }, ...sure.others].map(
      ({ format, recognition: { certainty, because } }) => ({ format, certainty, because }),
    );
  }
  const loose = formats.recognise(key, value, { ...context, declared: true });
  if (!loose || loose.format.id === CATCH_ALL) return [];
  return [{ format: loose.format, recognition: loose.recognition }, ...loose.others].map(
    ({ format, recognition: { because } }) => ({ format, certainty: 'looks-like', because }),
  );
}

/** A lock that is free now, and that clients of Redisson wait for or have waited for. */
function listenedFit(formats: FormatTable, listened: readonly Bytes[]): Fit[] {
  if (!listened.some((channel) => channel.startsWith(LOCK_CHANNEL))) return [];
  return [{ format: formats.byId('redisson'), certainty: 'likely', because: { id: 'channel' } }];
}

/** Writes down in the class what one of its keys turned out to be. */
export function addSample(to: KeyClass, { key, content, listened }: Sample, fits: Fit[]): void {
  const isAbsent = content === null || content.value === null;
  if (isAbsent && fits.length === 0) return;
  to.sampled++;
  if (listened.length > 0) to.contended++;
  if (content?.value) to.types.add(content.value.type);
  const pttl = content?.pttl ?? null;
  if (pttl !== null) {
    to.withTtl++;
    if (pttl <= SHORT_MS) to.shortLived++;
  }
  if (fits.length > 0 && to.examples.length < EXAMPLES) to.examples.push(key);
  for (const fit of fits) {
    const known = to.fits.get(fit.format.id);
    if (!known) to.fits.set(fit.format.id, { ...fit, count: 1 });
    else {
      known.count++;
      if (rankOf(fit) < rankOf(known)) Object.assign(known, fit);
    }
  }
}

const RANK = { certain: 0, likely: 1, 'looks-like': 2 };
/** Smaller = surer. */
export const rankOf = ({ certainty }: Pick<Fit, 'certainty'>): number => RANK[certainty];
