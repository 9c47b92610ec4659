import type { AlertCode, AlertSubject } from '@/lib/protocol/alert';
import { printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { Evidence, Owner } from '@/lib/protocol/lock';

export type AlertLock = AlertSubject['locks'][number];

/** Locks listed in one finding; its `count` is the whole number. */
export const LISTED_LOCKS = 50;
const CLIPPED_LENGTH = 120;

interface LockName {
  db: number;
  key: Bytes;
}

export const alertLock = ({ db, key }: LockName): AlertLock => ({
  db,
  key: printable(key),
  keyB64: toBase64Url(key),
});

export const lockSubject = (lock: LockName): AlertSubject => ({
  kind: 'lock',
  label: printable(lock.key),
  locks: [alertLock(lock)],
  deadlockId: null,
});

/** Several locks; lists at most {@link LISTED_LOCKS} of them. */
export const locksSubject = (label: string, locks: readonly AlertLock[]): AlertSubject => ({
  kind: 'locks',
  label,
  locks: locks.slice(0, LISTED_LOCKS),
  deadlockId: null,
});

export const targetSubject = (id: string): AlertSubject => ({
  kind: 'target',
  label: id,
  locks: [],
  deadlockId: null,
});

/** An incident of the lock, whoever holds it. */
export const lockIncident = (code: AlertCode, { db, key }: LockName): string =>
  `${code}:${db}:${toBase64Url(key)}`;

/** An incident of one hold: the next hold is another incident. */
export const holdIncident = (code: AlertCode, lock: LockName, generation: number): string =>
  `${lockIncident(code, lock)}:${generation}`;

/** A name in a sentence; whole names are in the subject. */
export const clip = (text: string): string =>
  text.length <= CLIPPED_LENGTH ? text : `${text.slice(0, CLIPPED_LENGTH)}…`;

type Named = Pick<Owner, 'id'> & Partial<Pick<Owner, 'app'>>;

/** The service first, where its client says which. */
export const nameOf = ({ id, app }: Named): string => clip(app ? `${app} (${id})` : id);

/** Shorter than this an id is told whole. */
const LONG_ID = 24;
const ID_END = 8;

/** As {@link nameOf} for a sentence with many names: of a long id the end is enough beside its service. */
export const shortNameOf = ({ id, app }: Named): string =>
  nameOf({ id: app && id.length > LONG_ID ? `…${id.slice(-ID_END)}` : id, app: app ?? null });

/** Null when nobody knows who: the catalogue has words for that. */
export const ownerName = (hold: { owner: Named | null } | null): string | null =>
  hold?.owner ? nameOf(hold.owner) : null;

export const keyName = (key: Bytes): string => clip(printable(key));

const EVIDENCE_ORDER: readonly Evidence[] = ['observed', 'inferred', 'unknown'];

/** The weakest of several, which is what a figure made of all of them rests on. */
export const weakest = (all: Iterable<Evidence>): Evidence => {
  let index = 0;
  for (const one of all) index = Math.max(index, EVIDENCE_ORDER.indexOf(one));
  return EVIDENCE_ORDER[index] ?? 'unknown';
};
