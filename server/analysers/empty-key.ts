import { sentence } from '@/lib/messages/sentence';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Sentence } from '@/lib/protocol/sentence';
import { lockId, type LockRecord } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { lockIncident, lockSubject } from './subject';

/** What a template leaves when the variable in it was empty. */
const EMPTY_END = /(?:[:/#|.]|\{\})$/;
/** What a program writes when the variable was no text at all. */
const PLACEHOLDER_END = /[:/#|.{](undefined|null|None|nil|NaN|\[object Object\])\}?$/;
const REMEMBERED = 1000;
/** After its last use it is still told of this long: a short hold would otherwise come and go. */
const TOLD_MS = 10 * 60 * 1000;

function faultOf(key: Bytes): Sentence | null {
  if (EMPTY_END.test(key)) return sentence('empty-key:missing', {});
  const placeholder = PLACEHOLDER_END.exec(key)?.[1];
  return placeholder === undefined ? null : sentence('empty-key:placeholder', { placeholder });
}

interface Suspect {
  db: number;
  key: Bytes;
  fault: Sentence;
  since: number;
}

/** Locks whose key was built from an empty variable: everything excludes everything else. */
export function createEmptyKey(): Analyser {
  const suspects = new Map<string, Suspect>();

  const look = (lock: LockRecord, at: number): void => {
    const id = lockId(lock.db, lock.key);
    if (suspects.has(id) || suspects.size >= REMEMBERED) return;
    const fault = faultOf(lock.key);
    if (fault !== null) suspects.set(id, { db: lock.db, key: lock.key, fault, since: at });
  };

  const isInUse = ({ db, key }: Suspect, { table, now }: View): boolean => {
    const lock = table.get(db, key);
    if (!lock) return false;
    return lock.hold !== null || now - lock.changedAt < TOLD_MS;
  };

  const findingOf = (suspect: Suspect): Finding => ({
    id: lockIncident('empty-key', suspect),
    code: 'empty-key',
    severity: 'warning',
    subject: lockSubject(suspect),
    summary: [suspect.fault],
    remedy: [sentence('empty-key:remedy', { key: printable(suspect.key) })],
    since: suspect.since,
    count: 1,
    evidence: 'inferred',
    moment: false,
  });

  return {
    needs: 'table',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'hold-started' || change.kind === 'hold-updated') {
          look(change.lock, change.at);
        }
      }
    },
    findings: (view) => {
      for (const [id, suspect] of suspects) if (!isInUse(suspect, view)) suspects.delete(id);
      return [...suspects.values()].map(findingOf);
    },
  };
}
