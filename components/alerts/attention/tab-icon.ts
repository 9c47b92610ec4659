export interface Unattended {
  critical: number;
  warning: number;
}

const SIDE = 64;
const MOST = 99;
const RED = '#c92a2a';
const AMBER = '#f0b429';

/** What the badge says: a number, at most 99. */
export const badgeText = ({ critical, warning }: Unattended): string =>
  critical + warning > MOST ? `${MOST}` : `${critical + warning}`;

/**
 * Draws the console's icon with the count of what nobody looks after, as a data URL; null where the browser cannot.
 * Round and red when something critical is among it, square and amber otherwise. `isDark`: the tabs are.
 */
export function drawBadge(
  icon: CanvasImageSource,
  unattended: Unattended,
  isDark: boolean,
): string | null {
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const draw = canvas.getContext('2d');
  if (!draw) return null;
  const isCritical = unattended.critical > 0;
  draw.drawImage(icon, 0, 0, SIDE, SIDE);
  // A rim in the colour of the tab keeps the badge apart from the icon.
  plate(draw, { inset: 0, isRound: isCritical }, isDark ? '#202124' : '#ffffff');
  plate(draw, { inset: 4, isRound: isCritical }, isCritical ? RED : AMBER);
  const text = badgeText(unattended);
  draw.fillStyle = isCritical ? '#ffffff' : '#1f1600';
  draw.font = `700 ${text.length > 1 ? 26 : 32}px system-ui, sans-serif`;
  draw.textAlign = 'center';
  draw.textBaseline = 'middle';
  draw.fillText(text, SIDE - BADGE / 2, SIDE - BADGE / 2 + 2);
  return canvas.toDataURL('image/png');
}

const BADGE = 44;

function plate(
  draw: CanvasRenderingContext2D,
  { inset, isRound }: { inset: number; isRound: boolean },
  colour: string,
): void {
  const side = BADGE - 2 * inset;
  const place = SIDE - BADGE + inset;
  draw.beginPath();
  draw.roundRect(place, place, side, side, isRound ? side / 2 : 9);
  draw.fillStyle = colour;
  draw.fill();
}
