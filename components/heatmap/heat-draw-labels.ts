import { LABEL_ROW_PX } from './heat-layout';
import { PADDING_PX, labelLook, rowPx } from './heat-labels';
import type { DrawnLabel, HeatInk, HeatScene } from './heat-scene';
import { isSamePath } from './heat-tree';
import type { LabelBlock } from './heat-tree';

type Context = CanvasRenderingContext2D;

/** The names at the left: namespace › class › lock, each block once, the marked ones set off. */
export function drawLabels(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { plot } = scene.frame;
  const own = Math.min(12, Math.max(9, rowPx(scene.frame, scene.window) - 2));
  context.save();
  context.beginPath();
  context.rect(0, plot.top, plot.left, plot.height);
  context.clip();
  for (const label of scene.labels) {
    drawBox(context, { label, isHovered: isHovered(scene, label.block) }, ink);
    const isRow = label.block.row !== null;
    const style = label.isRest ? 'italic ' : isRow ? '' : '600 ';
    const family = isRow && !label.isRest ? ink.mono : ink.sans;
    context.font = `${style}${isRow ? own : 11}px ${family}`;
    const isStrong = isMarked(scene, label.block) || !isRow;
    context.fillStyle = isStrong && !label.isRest ? ink.text : ink.muted;
    drawText(context, scene, label);
  }
  context.restore();
}

function isHovered({ hoverLabel }: HeatScene, block: LabelBlock): boolean {
  if (!hoverLabel || hoverLabel.level !== block.level) return false;
  return hoverLabel.from === block.from && isSamePath(hoverLabel.path, block.path);
}

function isMarked(scene: HeatScene, block: LabelBlock): boolean {
  const row = (scene.hover ?? scene.pinned)?.row;
  if (row !== undefined) return row >= block.from && row < block.to;
  return isHovered(scene, block);
}

function drawBox(
  context: Context,
  { label, isHovered: shines }: { label: DrawnLabel; isHovered: boolean },
  ink: HeatInk,
): void {
  const { left, top, width, height } = label;
  if (shines) {
    context.fillStyle = ink.sunken;
    context.fillRect(left, top, width, height);
  }
  // Between rows the cells already have lines; a block is closed off from its neighbours.
  if (height < (label.block.row ? LABEL_ROW_PX + 6 : 3)) return;
  context.fillStyle = ink.line;
  context.fillRect(left, Math.round(top) - 0.5, width, 1);
  if (!label.block.row) context.fillRect(left + width - 1, top, 1, height);
}

function drawText(context: Context, scene: HeatScene, label: DrawnLabel): void {
  const { texts } = scene;
  const look = labelLook(label, texts.width(context, label.text));
  if (!look) return;
  const text = texts.fit(context, label.text, look.room);
  const middle = label.top + label.height / 2;
  context.textBaseline = 'middle';
  if (look.turn === 'upright') {
    context.save();
    context.translate(label.left + Math.min(label.width, 22) / 2, middle);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'center';
    context.fillText(text, 0, 0.5);
    context.restore();
  } else if (label.block.row) {
    context.textAlign = 'right';
    context.fillText(text, label.left + label.width - PADDING_PX - 3, middle);
  } else {
    context.textAlign = 'left';
    context.fillText(text, label.left + PADDING_PX - 2, Math.min(middle, label.top + 10));
  }
}
