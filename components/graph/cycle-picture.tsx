'use client';

import { Fragment, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { CycleDrawing, CycleEdge, CycleNode, Point } from './cycle-layout';
import { LOCK_HEIGHT, LOCK_WIDTH, OWNER_RADIUS, layOutCycle } from './cycle-layout';

interface Props {
  deadlock: Deadlock;
  /** Index of the wait whose lock is suggested for release; null when it is over. */
  victim: number | null;
}

/** The circle drawn: owners round, locks as boxes, waits numbered, dashed when inferred. */
export function CyclePicture({ deadlock, victim }: Props) {
  const t = useTranslations('deadlocks');
  const arrow = useId();
  const drawing = layOutCycle(deadlock.cycle);
  const isInferred = deadlock.evidence !== 'observed';
  return (
    <svg
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      role="img"
      aria-label={t('picture')}
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
      <Edges drawing={drawing} arrow={arrow} isInferred={isInferred} />
      {drawing.nodes.map((node) => (
        <Fragment key={`${node.kind}${node.index}`}>
          {node.kind === 'owner' ? (
            <OwnerNode node={node} />
          ) : (
            <LockNode node={node} isVictim={node.index === victim} />
          )}
        </Fragment>
      ))}
    </svg>
  );
}

interface EdgesProps {
  drawing: CycleDrawing;
  arrow: string;
  isInferred: boolean;
}

function Edges({ drawing, arrow, isInferred }: EdgesProps) {
  return drawing.edges.map((edge) => (
    <g key={`${edge.kind}${edge.from.x},${edge.from.y}`}>
      <path
        d={`M${edge.from.x},${edge.from.y} Q${edge.bend.x},${edge.bend.y} ${edge.to.x},${edge.to.y}`}
        fill="none"
        stroke={edge.kind === 'waits' ? 'var(--critical)' : 'var(--ink-3)'}
        strokeWidth={edge.kind === 'waits' ? 1.75 : 1.25}
        strokeDasharray={edge.kind === 'waits' && isInferred ? '5 4' : undefined}
        markerEnd={`url(#${arrow})`}
      />
      {edge.number !== null && <EdgeNumber edge={edge} />}
    </g>
  ));
}

function EdgeNumber({ edge }: { edge: CycleEdge }) {
  const { x, y } = onCurve(edge, NUMBER_AT);
  return (
    <>
      <circle cx={x} cy={y} r="8.5" fill="var(--surface)" stroke="var(--critical)" />
      <text
        x={x}
        y={y}
        dy="0.36em"
        textAnchor="middle"
        fontSize="10"
        fontWeight="600"
        fill="var(--critical)"
      >
        {edge.number}
      </text>
    </>
  );
}

/** Nearer to the waiter, so that the arrow's head stays in sight on a short edge. */
const NUMBER_AT = 0.42;

/** A point of a quadratic curve, `share` 0…1 of the way. */
function onCurve({ from, bend, to }: CycleEdge, share: number): Point {
  const rest = 1 - share;
  const at = (a: number, b: number, c: number) =>
    rest * rest * a + 2 * rest * share * b + share * share * c;
  return { x: at(from.x, bend.x, to.x), y: at(from.y, bend.y, to.y) };
}

/** Keeps a text legible where an edge runs beneath it. */
const HALO = { paintOrder: 'stroke', stroke: 'var(--surface)', strokeWidth: 4 };

const OWNER_CHARACTERS = 16;
const LOCK_CHARACTERS = 17;

/** How far a text that is not centred reaches beyond the middle of its node, to the inside. */
const TEXT_SHIFT = { start: -OWNER_RADIUS, middle: 0, end: OWNER_RADIUS };

function OwnerNode({ node }: { node: CycleNode }) {
  return (
    <g>
      <title>{node.label.slice(0, 600)}</title>
      <circle
        cx={node.x}
        cy={node.y}
        r={OWNER_RADIUS}
        fill="var(--accent-soft)"
        stroke="var(--accent-ink)"
        strokeWidth="1.25"
      />
      <circle cx={node.x} cy={node.y - 4} r="4" fill="var(--accent-ink)" />
      <path d={`M${node.x - 7},${node.y + 9} a7,7 0 0 1 14,0`} fill="var(--accent-ink)" />
      <text
        x={node.x + TEXT_SHIFT[node.anchor]}
        y={node.outside === 'above' ? node.y - OWNER_RADIUS - 6 : node.y + OWNER_RADIUS + 14}
        textAnchor={node.anchor}
        fontSize="11"
        className="font-mono"
        fill="var(--ink)"
        {...HALO}
      >
        {middleCut(node.label, OWNER_CHARACTERS)}
      </text>
    </g>
  );
}

function LockNode({ node, isVictim }: { node: CycleNode; isVictim: boolean }) {
  const t = useTranslations('deadlocks');
  return (
    <g>
      <title>{node.label.slice(0, 600)}</title>
      <rect
        x={node.x - LOCK_WIDTH / 2}
        y={node.y - LOCK_HEIGHT / 2}
        width={LOCK_WIDTH}
        height={LOCK_HEIGHT}
        rx="5"
        fill="var(--raised)"
        stroke={isVictim ? 'var(--warning)' : 'var(--line-strong)'}
        strokeWidth={isVictim ? 2 : 1.25}
      />
      <text
        x={node.x}
        y={node.y}
        dy="0.34em"
        textAnchor="middle"
        fontSize="11"
        className="font-mono"
        fill="var(--ink)"
      >
        {middleCut(node.label, LOCK_CHARACTERS)}
      </text>
      {isVictim && (
        <text
          x={node.x}
          y={
            node.outside === 'above' ? node.y - LOCK_HEIGHT / 2 - 6 : node.y + LOCK_HEIGHT / 2 + 14
          }
          textAnchor="middle"
          fontSize="10"
          fill="var(--warning)"
          {...HALO}
        >
          {t('victim')}
        </text>
      )}
    </g>
  );
}

function middleCut(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 6000));
  if (characters.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}
