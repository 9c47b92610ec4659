import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import type { AlertSubject } from '@/lib/protocol/alert';
import type { Change } from '@/server/state/change';
import { lockId } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { clip, lockIncident, lockSubject } from './subject';
import { thresholdOf } from './thresholds';

/** A trace is a sample: what it saw is taken to go on for so long, unless another trace sees it again. */
const LASTS_MS = 5 * 60_000;
const MOST_KEPT = 200;

type Sample = Extract<Change, { kind: 'attempts-sampled' }>['sample'];
type Storm = Sample['storms'][number] & Seen;
type HotClient = Sample['hotClients'][number] & Seen;

interface Seen {
  since: number;
  from: number;
  to: number;
}

const stormFinding = (storm: Storm): Finding => ({
  id: `${lockIncident('retry-storm', storm)}:sampled`,
  code: 'retry-storm',
  severity: 'warning',
  subject: lockSubject(storm),
  summary: [
    sentence('retry-storm:sampled', {
      failed: storm.failed,
      clients: storm.clients,
      perSecond: storm.perSecond,
    }),
    sentence('sampled:span', { fromAt: storm.from, toAt: storm.to }),
  ],
  remedy: [sentence('retry-storm:sampled-remedy', {})],
  since: storm.since,
  count: 1,
  evidence: 'observed',
  moment: false,
});

const nameOf = ({ name, addr }: HotClient): string => clip(name ? `${name} (${addr})` : addr);

const clientSubject = (client: HotClient): AlertSubject => ({
  kind: 'target',
  label: nameOf(client),
  locks: [],
  deadlockId: null,
});

const clientFinding = (client: HotClient): Finding => ({
  id: `hot-client:${client.addr}`,
  code: 'hot-client',
  severity: 'warning',
  subject: clientSubject(client),
  summary: [
    sentence('hot-client:sampled', {
      client: nameOf(client),
      failed: client.failed,
      keys: client.keys,
      perSecond: client.perSecond,
    }),
    sentence('sampled:span', { fromAt: client.from, toAt: client.to }),
  ],
  remedy: [sentence('hot-client:remedy', {})],
  since: client.since,
  count: 1,
  evidence: 'observed',
  moment: false,
});

const isStorm = ({ db, key, perSecond }: Storm, view: View): boolean =>
  perSecond >= thresholdOf(view, 'retry-storm', view.table.get(db, key) ?? null);

const isHot = ({ perSecond }: HotClient, view: View): boolean =>
  perSecond >= thresholdOf(view, 'hot-client', null);

/** Keeps the newest, of which each was seen last; the longest unseen go first. */
function keep<T extends Seen>(all: Map<string, T>, id: string, seen: T): void {
  const since = all.get(id)?.since ?? seen.since;
  all.delete(id);
  all.set(id, { ...seen, since });
  dropOldest(all, MOST_KEPT);
}

function forgetOld(all: Map<string, Seen>, { now }: View): void {
  for (const [id, { to }] of all) if (now - to > LASTS_MS) all.delete(id);
}

/** Locks and clients of which a trace saw so many failed attempts that they are load and no waiting. */
export function createSampledStorms(): Analyser {
  const storms = new Map<string, Storm>();
  const clients = new Map<string, HotClient>();
  const take = ({ at, from, to, storms: seen, hotClients }: Sample): void => {
    const span = { since: at, from, to };
    for (const storm of seen) keep(storms, lockId(storm.db, storm.key), { ...storm, ...span });
    for (const client of hotClients) keep(clients, client.addr, { ...client, ...span });
  };
  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) if (change.kind === 'attempts-sampled') take(change.sample);
    },
    findings: (view) => {
      forgetOld(storms, view);
      forgetOld(clients, view);
      return [
        ...[...storms.values()].filter((one) => isStorm(one, view)).map(stormFinding),
        ...[...clients.values()].filter((one) => isHot(one, view)).map(clientFinding),
      ];
    },
  };
}
