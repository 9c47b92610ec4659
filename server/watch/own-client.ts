import type { Redis } from 'ioredis';
import { ownInstanceOf } from '@/lib/formats/qoder-owner';
import type { Bytes } from '@/lib/protocol/bytes';
import { InstanceWatch } from './instance-watch';
import type {
  Observation,
  ReadObservation,
  ReportGapObservation,
  ReportObservation,
} from './observation';
import { instanceOfKey, isReportStream } from './own-keys';
import { ReportReader } from './report-reader';

/** What our own client says of itself in Redis: its reports and its instances. */
export interface OwnClientWatch {
  /** An event of a key under `lockscope:`. */
  observe: (db: number, key: Bytes, event: string) => void;
  /** Such a key was found by a sweep. */
  found: (db: number, key: Bytes) => void;
  /** Looks for owners whose instance is not known yet. */
  onRead: (read: ReadObservation) => void;
  /** A connection begins: everything may be other than it was. */
  begin: () => void;
  readReports: () => Promise<void>;
  readInstances: () => Promise<void>;
}

export function createOwnClientWatch(options: {
  connection: (db: number) => Promise<Redis>;
  intake: () => {
    deliverNow: (seen: readonly Observation[]) => void;
    onReported: (db: number, key: Bytes) => void;
  };
  now: () => number;
}): OwnClientWatch {
  const { connection, intake, now } = options;
  const deliver = (seen: readonly Observation[]): void => intake().deliverNow(seen);
  const instances = new InstanceWatch({ connection, deliver, now });
  const reports = new ReportReader({
    connection,
    now,
    deliver: (seen) => {
      deliver(seen);
      for (const { db, key } of locksOf(seen)) intake().onReported(db, key);
    },
  });

  const mention = (db: number, owner: Bytes): void => {
    const instance = ownInstanceOf(owner);
    if (instance !== null) instances.mention(db, instance);
  };

  return {
    observe: (db, key, event) => {
      const instance = instanceOfKey(key);
      if (instance !== null) instances.observe(db, instance, event);
      else if (isReportStream(key)) reports.note(db, key);
    },
    found: (db, key) => {
      const instance = instanceOfKey(key);
      if (instance !== null) instances.mention(db, instance);
      else if (isReportStream(key)) reports.note(db, key);
    },
    onRead: ({ db, value, queue }) => {
      if (value?.type === 'hash') for (const [field] of value.fields) mention(db, field);
      else if (value?.type === 'zset') for (const [member] of value.members) mention(db, member);
      for (const { owner } of queue ?? []) mention(db, owner);
    },
    begin: () => {
      instances.noteAll();
      reports.noteAll();
    },
    readReports: async () => await reports.run(),
    readInstances: async () => await instances.run(),
  };
}

/** The locks that are reported on, each once. */
function locksOf(
  seen: readonly (ReportObservation | ReportGapObservation)[],
): { db: number; key: Bytes }[] {
  const locks = new Map<string, { db: number; key: Bytes }>();
  for (const report of seen) {
    if (report.kind === 'report') locks.set(`${report.db}:${report.key}`, report);
  }
  return [...locks.values()];
}
