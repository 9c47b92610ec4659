'use client';

import { useTranslations } from 'use-intl';
import {
  LOCK_HEIGHT,
  LOCK_WIDTH,
  OWNER_RADIUS,
  type GraphEdge,
  type GraphNode,
  type Point,
} from './graph-layout';

/** A wait, numbered and dashed when inferred, or a hold. */
export function EdgeLine({ edge, arrow }: { edge: GraphEdge; arrow: string }) {
  const t = useTranslations('deadlocks');
  const { from, bend, to, kind, of } = edge;
  const isWait = kind === 'waits';
  return (
    <g>
      <title>
        {isWait
          ? t('edgeWaits', { owner: of.owner.slice(0, 200), key: of.waitsFor.key.slice(0, 200) })
          : t('edgeHeld', { owner: of.heldBy.slice(0, 200), key: of.waitsFor.key.slice(0, 200) })}
      </title>
      <path
        d={`M${from.x},${from.y} Q${bend.x},${bend.y} ${to.x},${to.y}`}
        fill="none"
        stroke={isWait ? 'var(--critical)' : 'var(--ink-3)'}
        strokeWidth={isWait ? 1.75 : 1.25}
        strokeDasharray={isWait && edge.isInferred ? '5 4' : undefined}
        markerEnd={`url(#${arrow})`}
      />
      {edge.number !== null && <EdgeNumber edge={edge} />}
      {!isWait && edge.isAnyOf && <AnyOf at={onCurve(edge, 0.5)} />}
    </g>
  );
}

function EdgeNumber({ edge }: { edge: GraphEdge }) {
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

/** One of several holders, of whom any one would do. */
function AnyOf({ at }: { at: Point }) {
  const t = useTranslations('deadlocks');
  return (
    <text {...at} dy="-0.4em" textAnchor="middle" fontSize="9" fill="var(--ink-3)" {...HALO}>
      {t('anyOf')}
    </text>
  );
}

/** Nearer to the waiter, so that the arrow's head stays in sight on a short edge. */
const NUMBER_AT = 0.42;

/** A point of a quadratic curve, `share` 0…1 of the way. */
function onCurve({ from, bend, to }: GraphEdge, share: number): Point {
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

export function OwnerCircle({ node }: { node: GraphNode }) {
  return (
    <g>
      <title>{(node.owner ?? node.label).slice(0, 600)}</title>
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
        {nodeText(node)}
      </text>
    </g>
  );
}

export function LockBox({ node, isVictim }: { node: GraphNode; isVictim: boolean }) {
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
        {nodeText(node)}
      </text>
      {/* Not drawn; without it the two texts are read as one word. */}
      {isVictim && ' '}
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

/** What is written at a node, of a long name its ends. */
export const nodeText = ({ kind, label }: Pick<GraphNode, 'kind' | 'label'>): string =>
  middleCut(label, kind === 'owner' ? OWNER_CHARACTERS : LOCK_CHARACTERS);

function middleCut(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 6000));
  if (characters.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}
