import { sentence } from '@/lib/messages/sentence';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { createSinceSeen } from './since-seen';
import { clip } from './subject';

/**
 * Longer than a client that went without a word counts as there: a service that was moved from one db to another
 * is seen in both until then.
 */
const LASTS_MS = 35_000;
/** Of one service; the figure is the whole number. */
const LISTED_DBS = 16;
/** Anybody may write what a client says of itself. */
const MOST_SERVICES = 1_000;

/** By service, the dbs in which instances of it are now, and how many are in each. */
function dbsOfServices({ table }: View): Map<string, Map<number, number>> {
  const services = new Map<string, Map<number, number>>();
  for (const [, { isPresent, app, db, group }] of table.instances()) {
    // Those of a Redlock are on several servers, each with a db of its own.
    if (isPresent !== true || app === null || db === null || group) continue;
    if (!services.has(app) && services.size >= MOST_SERVICES) continue;
    const dbs = services.get(app) ?? new Map<number, number>();
    services.set(app, dbs.set(db, (dbs.get(db) ?? 0) + 1));
  }
  return services;
}

/** Instances of one service that use different dbs: each of them locks for itself. */
export function createServiceDbs(): Analyser {
  const since = createSinceSeen();

  const findingOf = (
    app: string,
    dbs: ReadonlyMap<number, number>,
    now: number,
  ): Finding | null => {
    if (dbs.size < 2) return null;
    const id = `db-mismatch:service:${app}`;
    const from = since.at(id, now);
    if (now - from < LASTS_MS) return null;
    const inOrder = [...dbs].sort(([a], [b]) => a - b);
    const places = inOrder.slice(0, LISTED_DBS).map(([db, count]) => `db ${db} (${count})`);
    return {
      id,
      code: 'db-mismatch',
      severity: 'warning',
      subject: { kind: 'target', label: clip(app), locks: [], deadlockId: null },
      summary: [sentence('db-mismatch:service', { app: clip(app), places: places.join(', ') })],
      remedy: [sentence('db-mismatch:service-remedy', {})],
      since: from,
      count: inOrder.reduce((sum, [, count]) => sum + count, 0),
      evidence: 'observed',
      moment: false,
    };
  };

  return {
    needs: 'table',
    findings: (view) => {
      const services = [...dbsOfServices(view)];
      const found = services.flatMap(([app, dbs]) => findingOf(app, dbs, view.now) ?? []);
      since.next();
      return found;
    },
  };
}
