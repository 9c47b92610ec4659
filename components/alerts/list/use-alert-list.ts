'use client';

import { useMemo, useState } from 'react';
import type { Alert } from '@/lib/protocol/alert';
import { groupAlerts, linesOf, type AlertGroup, type AlertLine } from './alert-groups';
import { allToggled, moved, NOTHING, reached, toggled, type Selection } from './selection';
import { steadyOver, type Steady } from './steady';
import type { Grouping } from './alert-view';

export interface AlertList extends Omit<Steady, 'groups'> {
  lines: readonly AlertLine[];
  /** Ids of the alerts in sight, in their order. */
  ids: readonly string[];
  selection: Selection;
  expanded: ReadonlySet<string>;
  move: (step: number) => void;
  /** The cursor goes where the focus is. */
  point: (id: string) => void;
  toggle: (id: string, reach: boolean) => void;
  toggleAll: () => void;
  clear: () => void;
  expand: (id: string) => void;
  fold: (groupId: string) => void;
  /** Somebody works in the list, or no more: while so it keeps its order. */
  hold: (isHeld: boolean) => void;
  /** Takes over what has come meanwhile. */
  takeOver: () => void;
  /** The alert of that id as it is now; undefined when it is not in the list. */
  find: (id: string) => Alert | undefined;
}

const flipped = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
};

/**
 * What the list of alerts shows and what is done in it. While an alert is chosen or the focus is within, the
 * rows stay where they are: what is live changes in place, and what has come is counted.
 */
export function useAlertList(alerts: readonly Alert[], grouping: Grouping): AlertList {
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [isHeld, setIsHeld] = useState(false);
  const [kept, setKept] = useState<readonly AlertGroup[] | null>(null);
  const [keptFor, setKeptFor] = useState(grouping);

  const fresh = useMemo(() => groupAlerts(alerts, grouping), [alerts, grouping]);
  const isKept = isHeld || selection.chosen.size > 0;
  if (isKept && (kept === null || keptFor !== grouping)) {
    setKept(fresh);
    setKeptFor(grouping);
  }
  if (!isKept && kept !== null) setKept(null);

  const base = isKept && keptFor === grouping ? kept : null;
  const steady = useMemo(() => steadyOver(base ?? fresh, alerts), [base, fresh, alerts]);
  const lines = useMemo(
    () => linesOf(steady.groups, { grouping, closed }),
    [steady, grouping, closed],
  );
  const ids = useMemo(
    () => lines.flatMap((line) => (line.kind === 'alert' ? [line.id] : [])),
    [lines],
  );
  return {
    lines,
    ids,
    left: steady.left,
    arrived: steady.arrived,
    selection,
    expanded,
    move: (step) => setSelection((now) => moved(now, ids, step)),
    point: (id) => setSelection((now) => (now.cursor === id ? now : { ...now, cursor: id })),
    toggle: (id, reach) =>
      setSelection((now) => ({
        ...(reach ? reached(now, ids, id) : toggled(now, id)),
        cursor: id,
      })),
    toggleAll: () => setSelection((now) => allToggled(now, ids)),
    clear: () => setSelection((now) => ({ ...NOTHING, cursor: now.cursor })),
    expand: (id) => setExpanded((now) => flipped(now, id)),
    fold: (id) => setClosed((now) => flipped(now, id)),
    hold: setIsHeld,
    takeOver: () => setKept(fresh),
    find: (id) => steady.groups.flatMap((group) => group.alerts).find((alert) => alert.id === id),
  };
}
