import Database from 'better-sqlite3';
import type { HoldRow } from '@/server/store/store-contract';
import { Spent, type Written } from './spent';

/**
 * The same rows as one would first write them down: every value as text in its row, five indexes, and as durable
 * (WAL, synchronous = FULL).
 */
export function writeWide(file: string, batches: Iterable<readonly HoldRow[]>): Written {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`create table holds (id integer primary key, target text, db integer, lock_key text, class text,
    namespace text, format text, token text, generation integer, owner text, start_at integer,
    end_at integer, end_reason text, evidence text, renewals integer, max_depth integer, waited_ms integer,
    wait_source text, notes text);
    create index by_key on holds (lock_key, start_at); create index by_class on holds (class, start_at);
    create index by_owner on holds (owner, start_at); create index by_start on holds (start_at);
    create index by_end on holds (end_at)`);
  const insert = db.prepare(
    `insert into holds (target, db, lock_key, class, namespace, format, token, generation, owner, start_at,
      end_at, end_reason, evidence, renewals, max_depth, waited_ms, wait_source, notes)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const writeBatch = db.transaction((batch: readonly HoldRow[]) => {
    for (const { past, waited, ...row } of batch) {
      insert.run(
        ...[row.target, row.db, row.key, row.class, row.namespace, row.formatId, row.token],
        ...[past.generation, past.owner, past.start, past.end, past.endReason, past.evidence],
        ...[past.renewals, past.maxDepth, waited?.ms ?? null, waited?.source ?? null, ''],
      );
    }
  });
  const spent = new Spent();
  let rows = 0;
  for (const batch of batches) {
    spent.begin();
    writeBatch(batch);
    spent.end();
    rows += batch.length;
  }
  db.close();
  return spent.of(rows);
}
