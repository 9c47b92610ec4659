import { INSTANCE } from '@/lib/lock/names';
import type { Bytes } from '@/lib/protocol/bytes';

/** What our own client keeps beside its locks: reports of what it did, and who its instances are. */
const REPORTS = 'lockscope:reports';
/** Everything under this is Lockscope's own and no lock. */
const OWN = 'lockscope:';

export const OWN_KEY_PREFIXES: readonly Bytes[] = [REPORTS, INSTANCE];

export const isOwnKey = (key: Bytes): boolean => key.startsWith(OWN);

/** One stream for each namespace, `lockscope:reports:<namespace>`, and one for locks without. */
export const isReportStream = (key: Bytes): boolean =>
  key === REPORTS || key.startsWith(`${REPORTS}:`);

/** The instance that a presence key is of; null for another key. */
export const instanceOfKey = (key: Bytes): string | null =>
  key.startsWith(INSTANCE) ? key.slice(INSTANCE.length) : null;

export const presenceKey = (instance: string): Bytes => INSTANCE + instance;
