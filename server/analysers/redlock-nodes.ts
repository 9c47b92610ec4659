import { sentence } from '@/lib/messages/sentence';
import type { Severity } from '@/lib/protocol/alert';
import type { Sentence } from '@/lib/protocol/sentence';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { createSinceSeen, type SinceSeen } from './since-seen';
import { clip } from './subject';

/** Longer than from one sign of life of a client to the next: then it was said twice. */
const SILENT_LASTS_MS = 12_000;
/** Anybody may write what a client says of itself. */
const MOST_GROUPS = 100;

/** A Redlock as the clients of our own that use it say it. */
interface Group {
  nodes: readonly string[];
  /** Of those nodes, whatever client says so. */
  silent: Set<string>;
  apps: Set<string>;
  clients: number;
}

const serverOf = (node: string): string => node.replace(/\/\d+$/, '');
const machineOf = (node: string): string => serverOf(node).replace(/:\d+$/, '');

function groupsIn({ table }: View): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const [, { isPresent, group, app }] of table.instances()) {
    if (isPresent !== true || !group || group.nodes.length < 2) continue;
    const nodes = group.nodes.toSorted();
    const id = nodes.join(' ');
    if (!groups.has(id) && groups.size >= MOST_GROUPS) continue;
    const known = groups.get(id) ?? { nodes, silent: new Set(), apps: new Set(), clients: 0 };
    for (const node of group.silent) if (nodes.includes(node)) known.silent.add(node);
    if (app !== null) known.apps.add(app);
    known.clients += 1;
    groups.set(id, known);
  }
  return groups;
}

/** The most nodes of one place: they fail together. */
function together(nodes: readonly string[], placeOf: (node: string) => string): readonly string[] {
  const places = Map.groupBy(nodes, placeOf);
  return [...places.values()].reduce((most, some) => (some.length > most.length ? some : most), []);
}

interface Told {
  severity: Severity;
  summary: Sentence;
  remedy: Sentence;
}

function dependence({ nodes, apps }: Group): Told | null {
  const named = { app: clip([...apps].join(', ')), nodes: nodes.length };
  const twins = together(nodes, serverOf);
  if (twins.length > 1) {
    return {
      severity: 'critical',
      summary: sentence('not-independent:server', {
        ...named,
        together: twins.length,
        server: clip(serverOf(twins[0] ?? '')),
      }),
      remedy: sentence('not-independent:remedy', {}),
    };
  }
  const neighbours = together(nodes, machineOf);
  if (neighbours.length < 2) return null;
  const leavesMajority = nodes.length - neighbours.length > nodes.length / 2;
  const machine = clip(machineOf(neighbours[0] ?? ''));
  const values = { ...named, together: neighbours.length, machine };
  return {
    severity: 'warning',
    summary: leavesMajority
      ? sentence('not-independent:machine', values)
      : sentence('not-independent:machine-majority', values),
    remedy: sentence('not-independent:remedy', {}),
  };
}

function partial({ nodes, apps, silent }: Group): Told | null {
  if (silent.size === 0) return null;
  const needed = Math.floor(nodes.length / 2) + 1;
  const spare = nodes.length - silent.size - needed;
  const values = {
    app: clip([...apps].join(', ')),
    nodes: nodes.length,
    silent: silent.size,
    names: clip([...silent].join(', ')),
  };
  return {
    severity: spare < 0 ? 'critical' : 'warning',
    summary:
      spare < 0
        ? sentence('redlock-partial:no-majority', values)
        : sentence('redlock-partial:silent', { ...values, spare }),
    remedy: sentence('redlock-partial:nodes-remedy', {}),
  };
}

interface Kind {
  code: 'not-independent' | 'redlock-partial';
  judge: (group: Group) => Told | null;
  lastsMs: number;
}

const KINDS: readonly Kind[] = [
  { code: 'not-independent', judge: dependence, lastsMs: 0 },
  { code: 'redlock-partial', judge: partial, lastsMs: SILENT_LASTS_MS },
];

function findingOf(
  kind: Kind,
  [nodes, group]: [nodes: string, group: Group],
  { now, since }: { now: number; since: SinceSeen },
): Finding | null {
  const told = kind.judge(group);
  if (!told) return null;
  const id = `${kind.code}:${nodes}`;
  const from = since.at(id, now);
  if (now - from < kind.lastsMs) return null;
  return {
    id,
    code: kind.code,
    severity: told.severity,
    subject: { kind: 'target', label: clip(nodes), locks: [], deadlockId: null },
    summary: [told.summary],
    remedy: [told.remedy],
    since: from,
    count: group.clients,
    // The clients say so; whether two names are one machine, a name alone decides.
    evidence: kind.code === 'redlock-partial' ? 'observed' : 'inferred',
    moment: false,
  };
}

/**
 * Redlocks whose nodes fail together, or of which some do not vote, as the clients of our own say who use them. Another
 * library's Redlock over several servers cannot be seen from one of them.
 */
export function createRedlockNodes(): Analyser {
  const since = createSinceSeen();
  return {
    needs: 'table',
    findings: (view) => {
      const groups = [...groupsIn(view)];
      const seen = { now: view.now, since };
      const found = KINDS.flatMap((kind) =>
        groups.flatMap((group) => findingOf(kind, group, seen) ?? []),
      );
      since.next();
      return found;
    },
  };
}
