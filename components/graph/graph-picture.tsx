'use client';

import { useRouter } from 'next/navigation';
import { useId, useState, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { useTranslations } from 'use-intl';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { isSameLock, type Victim } from './deadlock-end';
import { layOutGraph, type GraphNode } from './graph-layout';
import { EdgeLine, LockBox, nodeText, OwnerCircle } from './graph-shapes';
import { nodeHref } from './node-href';
import { stepOf } from './node-step';

interface Props {
  deadlock: Deadlock;
  victim: Victim | null;
  /** The moment of the past that is shown, epoch ms. */
  at?: number | undefined;
  /** Nothing to follow: what it shows is of a file. */
  isStill?: boolean;
  ref?: Ref<SVGSVGElement>;
}

/**
 * Who waits for whom, drawn: owners round, locks as boxes, waits numbered in the order of time, dashed when inferred.
 * Each node leads to its lock, or to the locks of its owner; arrow keys go round.
 */
export function GraphPicture({ deadlock, victim, at, isStill = false, ref }: Props) {
  const t = useTranslations('deadlocks');
  const arrow = useId();
  const router = useRouter();
  const [current, setCurrent] = useState(0);
  const drawing = layOutGraph(deadlock);
  const go = (href: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    router.push(href);
  };
  const onKeyDown = (event: KeyboardEvent<Element>): void => {
    const next = stepOf(event, { at: current, of: drawing.nodes.length });
    if (next === null) return;
    event.preventDefault();
    setCurrent(next);
    const picture = event.currentTarget.closest('svg');
    picture?.querySelector<SVGAElement>(`[data-node="${next}"]`)?.focus();
  };
  const isVictim = ({ lock }: GraphNode): boolean =>
    lock !== null && isSameLock(lock, victim?.lock);
  /** Begins with what is written there, so that it can be spoken to. */
  const nameOf = (node: GraphNode): string => {
    const name = node.label.slice(0, 200);
    const written = [nodeText(node), ...(isVictim(node) ? [t('victim')] : [])].join(' ');
    return `${written}: ${t(node.kind === 'owner' ? 'ownerNode' : 'lockNode', { name })}`;
  };
  const shapeOf = (node: GraphNode) =>
    node.kind === 'owner' ? (
      <OwnerCircle node={node} />
    ) : (
      <LockBox node={node} isVictim={isVictim(node)} />
    );
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      role={isStill ? 'img' : 'group'}
      aria-label={t(isStill ? 'picture' : 'pictureOfLinks')}
      className="h-auto w-full"
      style={{ maxWidth: drawing.width }}
    >
      <defs>
        <marker
          id={arrow}
          viewBox="0 0 8 8"
          refX="6"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0,0.5 L7,4 L0,7.5 z" fill="var(--ink-3)" />
        </marker>
      </defs>
      {drawing.edges.map((edge) => (
        <EdgeLine key={edge.id} edge={edge} arrow={arrow} />
      ))}
      {drawing.nodes.map((node, index) => {
        const href = nodeHref(node, { target: deadlock.target, at });
        if (isStill) return <g key={node.id}>{shapeOf(node)}</g>;
        return (
          <a
            key={node.id}
            href={href}
            data-node={index}
            tabIndex={index === current ? 0 : -1}
            aria-label={nameOf(node)}
            className="graph-node"
            onFocus={() => setCurrent(index)}
            onClick={go(href)}
            onKeyDown={onKeyDown}
          >
            {shapeOf(node)}
          </a>
        );
      })}
    </svg>
  );
}
