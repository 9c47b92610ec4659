'use client';

import { clsx } from 'clsx';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useWidth } from '@/components/hooks';
import { useDurationText } from '@/components/labels';
import type { BlameNode } from './blame-tree';
import { boxColour } from './icicle-colour';
import { boxTowards, icicleBoxes, type IcicleBox } from './icicle-layout';
import { IcicleTooltip } from './icicle-tooltip';
import { useBlameWords } from './use-blame-words';

interface Props {
  /** What is drawn: the node that is zoomed into. */
  root: BlameNode;
  /** All waiting that is known, of which the shares are. */
  totalMs: number;
  onZoom: (node: BlameNode) => void;
  /** One step back out; not called at the top. */
  onOut: () => void;
  isZoomed: boolean;
}

const ROW_PX = 32;
/** Narrower boxes cannot be hit. */
const LEAST_PX = 7;
/** Narrower boxes cannot be read. */
const TEXT_PX = 26;
/** With less room the duration would leave nothing of the name. */
const DURATION_PX = 140;
const SHOWN_CHARACTERS = 200;

/** Waiting by namespace, class, lock and holder: each box as wide as its part of the one above. */
export function Icicle({ root, totalMs, onZoom, onOut, isZoomed }: Props) {
  const t = useTranslations('blame');
  const keysId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [current, setCurrent] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const boxes = width === 0 ? [] : icicleBoxes(root, LEAST_PX / width);
  const at = Math.max(
    0,
    boxes.findIndex(({ id }) => id === current),
  );
  const shown = boxes.find(({ id }) => id === pointed);
  const rows = boxes.reduce((most, { depth }) => Math.max(most, depth + 1), 1);

  const enter = (box: IcicleBox | undefined): void => {
    if (!box?.node || box.depth === 0 || box.node.leaf === null) return;
    // What is beneath the pointer then is another box.
    setPointed(null);
    onZoom(box.node);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = boxTowards(boxes, at, event.key);
    if (next !== null) {
      event.preventDefault();
      const box = frame.current?.querySelector<HTMLElement>(`[data-box="${next}"]`);
      box?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      enter(boxes[at]);
    } else if ((event.key === 'Escape' || event.key === 'Backspace') && isZoomed) {
      event.preventDefault();
      onOut();
    }
  };
  return (
    <>
      <div
        ref={frame}
        role="tree"
        aria-label={t('pictureLabel')}
        aria-describedby={keysId}
        className="relative outline-none"
        style={{ height: rows * ROW_PX }}
      >
        {boxes.map((box, index) => (
          <Box
            key={box.id}
            box={box}
            index={index}
            widthPx={box.width * width}
            totalMs={totalMs}
            siblings={siblingsOf(boxes, box)}
            isCurrent={index === at}
            onFocus={() => {
              setCurrent(box.id);
              setPointed(box.id);
            }}
            onLeave={() => setPointed(null)}
            onPoint={() => setPointed(box.id)}
            onKeyDown={onKeyDown}
            onEnter={() => enter(box)}
          />
        ))}
        {shown && (
          <IcicleTooltip
            box={shown}
            above={shown.parent === null ? null : (boxes[shown.parent] ?? null)}
            totalMs={totalMs}
            frameWidth={width}
            top={(shown.depth + 1) * ROW_PX + 2}
          />
        )}
      </div>
      <p id={keysId} className="mt-2 text-xs text-ink-3">
        {t('hints')}
      </p>
    </>
  );
}

interface Siblings {
  count: number;
  /** From 1. */
  position: number;
}

function siblingsOf(boxes: readonly IcicleBox[], box: IcicleBox): Siblings {
  const siblings = boxes.filter(({ parent }) => parent === box.parent);
  return { count: siblings.length, position: siblings.indexOf(box) + 1 };
}

interface BoxProps {
  box: IcicleBox;
  index: number;
  widthPx: number;
  totalMs: number;
  siblings: Siblings;
  isCurrent: boolean;
  onFocus: () => void;
  onLeave: () => void;
  onPoint: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onEnter: () => void;
}

function Box(props: BoxProps) {
  const { box, index, widthPx, totalMs, siblings, isCurrent } = props;
  const t = useTranslations('blame');
  const words = useBlameWords();
  const duration = useDurationText();
  const name = words.box(box);
  const share = totalMs === 0 ? 0 : box.waitMs / totalMs;
  const isUnseen = box.node?.level === 'holder' && box.node.leaf?.cause === 'unnamed';
  return (
    <div
      role="treeitem"
      aria-level={box.depth + 1}
      aria-setsize={siblings.count}
      aria-posinset={siblings.position}
      aria-expanded={box.node && box.node.children.length > 0 ? true : undefined}
      aria-selected={isCurrent}
      aria-label={t('box', {
        name: name.slice(0, SHOWN_CHARACTERS),
        duration: duration(box.waitMs),
        share,
      })}
      data-box={index}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={props.onFocus}
      onBlur={props.onLeave}
      onKeyDown={props.onKeyDown}
      onMouseEnter={props.onPoint}
      onMouseLeave={props.onLeave}
      onClick={props.onEnter}
      className={clsx(
        'absolute overflow-hidden rounded-sm border border-surface text-xs leading-[30px] whitespace-nowrap text-ink transition-[left,width] duration-200 hover:brightness-95 focus-visible:z-10 focus-visible:-outline-offset-2 dark:hover:brightness-125',
        box.node && box.depth > 0 && box.node.leaf && 'cursor-pointer',
        // Padding would make a narrow box wider than its share.
        widthPx >= TEXT_PX && 'px-1.5',
        box.node === null && 'border-dashed border-line-strong text-ink-2',
        isUnseen && 'hatched',
      )}
      style={{
        left: `${box.left * 100}%`,
        width: `${box.width * 100}%`,
        top: box.depth * ROW_PX,
        height: ROW_PX,
        backgroundColor: boxColour(box, share),
      }}
    >
      {widthPx >= TEXT_PX && (
        <span className="flex min-w-0 gap-2">
          <bdi
            dir="ltr"
            className={clsx('truncate', box.node?.level !== 'all' && 'font-mono text-[0.95em]')}
          >
            {name.slice(0, SHOWN_CHARACTERS)}
          </bdi>{' '}
          {widthPx >= DURATION_PX && (
            <span className="ml-auto shrink-0">{duration(box.waitMs)}</span>
          )}
        </span>
      )}
    </div>
  );
}
