'use client';

import { useCallback, useRef } from 'react';
import { namespaceForAddress } from '@/components/charts/subject';
import { useUrlParams } from '@/components/hooks';
import type { HeatView, Span } from './heat-params';
import { PLACE_PARAMS, readHeatView, writeRowSpan } from './heat-params';
import type { Subject } from './heat-tree';

type Changes = Record<string, string | number | null>;

/** The heatmap's address as a view, and the ways from there to another part of history. */
export function useHeatAddress() {
  const { get, set } = useUrlParams();
  const view = readHeatView(get);
  const steps = useRef<Changes[]>([]);

  const go = useCallback(
    (changes: Changes) => {
      steps.current.push(placeOfAddress());
      set(changes);
    },
    [set],
  );
  const show = useCallback(
    (time: Span, rows: Span | null) => go({ ...time, rowSpan: rows && writeRowSpan(rows) }),
    [go],
  );
  const drill = useCallback(
    (subject: Subject, time?: Span) => {
      const { group } = readHeatView(addressParam);
      const isClass = subject.class !== null && group === 'class';
      const namespace = namespaceForAddress(subject.namespace);
      const changes = { namespace, class: subject.class, ...(isClass && { group: 'lock' }) };
      go({ ...changes, rowSpan: null, ...time });
    },
    [go],
  );
  const follow = useCallback(() => go({ from: null, to: null, rowSpan: null, at: null }), [go]);
  const back = useCallback(() => {
    set(
      steps.current.pop() ?? { from: null, to: null, rowSpan: null, namespace: null, class: null },
    );
  }, [set]);
  return { view, set, show, drill, follow, back };
}

/** The address itself, not the last render: several steps may come before the next one. */
const addressParam = (name: string): string | null =>
  new URLSearchParams(window.location.search).get(name);

const placeOfAddress = (): Changes =>
  Object.fromEntries(PLACE_PARAMS.map((name) => [name, addressParam(name)]));

/** The address of exactly what a view shows at the moment, live or not; without the origin. */
export function exactAddress(view: HeatView, time: Span): string {
  const params: Record<string, string | number | null> = {
    metric: view.metric,
    group: view.group,
    from: time.from,
    to: time.to,
    rowSpan: view.rowSpan && writeRowSpan(view.rowSpan),
    namespace: namespaceForAddress(view.namespace),
    class: view.class,
    rows: view.rows,
    ramp: view.ramp,
    brightness: view.brightness || null,
    vs: view.earlier,
    at: view.at,
  };
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  );
  return `/heatmap?${new URLSearchParams(given).toString()}`;
}
