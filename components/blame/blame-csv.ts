import { csvText } from '@/lib/csv';
import type { Blame } from '@/lib/protocol/measures';

/** One line for each holder of each lock; what is beyond the limit as a line of its own. */
export const blameCsv = ({ leaves, leftOut, from, to }: Blame): string =>
  csvText(
    [
      ...['from', 'to', 'namespace', 'class', 'db', 'key', 'key_base64url'],
      ...['cause', 'holder', 'app', 'host', 'ip', 'waiting_caused_ms'],
    ],
    [
      ...leaves.map((leaf) => [
        ...[time(from), time(to), leaf.namespace, leaf.class],
        ...[leaf.lock?.db ?? null, leaf.lock?.key ?? null, leaf.lock?.keyB64 ?? null],
        ...[leaf.cause, leaf.owner, leaf.place?.app ?? null, leaf.place?.host ?? null],
        ...[leaf.place?.ip ?? null, Math.round(leaf.waitMs)],
      ]),
      ...(leftOut.count === 0
        ? []
        : [
            [
              ...[time(from), time(to), null, null, null, null, null],
              ...['left-out', null, null, null, null, Math.round(leftOut.waitMs)],
            ],
          ]),
    ],
  );

const time = (at: number): string => new Date(at).toISOString();
