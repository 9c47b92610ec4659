import type { HeatScale } from './heat-scale';
import { UNKNOWN_LEVEL, ZERO_LEVEL, brighten, positionOfLevel } from './heat-scale';
import type { Rgb } from './heat-ramps';
import { CHANGE_RAMPS, HEAT_RAMPS, alongStops } from './heat-ramps';
import type { HeatTheme, RampName } from './heat-ramps';

/** How figures are turned into colours. */
export interface HeatColours {
  theme: HeatTheme;
  ramp: RampName;
  brightness: number;
  kind: HeatScale['kind'];
}

/** The colour of a position on the scale: 0…1, or −1…1 of a map of changes. Zero has one of its own. */
export function colourAt(look: HeatColours, position: number): Rgb {
  const shown = brighten(position, look.brightness);
  if (look.kind === 'heat') return alongStops(HEAT_RAMPS[look.ramp][look.theme].stops, shown);
  const { less, same, more } = CHANGE_RAMPS[look.theme];
  if (shown === 0) return same;
  return alongStops(shown < 0 ? less : more, Math.abs(shown));
}

/** What a known zero, or no change, looks like. */
export function zeroColour({ theme, ramp, kind }: HeatColours): Rgb {
  return kind === 'heat' ? HEAT_RAMPS[ramp][theme].zero : CHANGE_RAMPS[theme].same;
}

export function cssColour([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** Black or white, whichever reads better on the colour (WCAG relative luminance). */
export function inkOn(colour: Rgb): '#000' | '#fff' {
  const [r = 0, g = 0, b = 0] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff';
}

/** The colour of a level; `null` for "not known", which has none. */
export function levelColour(level: number, look: HeatColours): Rgb | null {
  if (level === UNKNOWN_LEVEL) return null;
  if (look.kind === 'heat' && level === ZERO_LEVEL) return zeroColour(look);
  return colourAt(look, positionOfLevel(level, look.kind));
}

/**
 * 256 pixels, one per level, in the byte order of ImageData on little-endian machines (all that run
 * browsers). Unknown is transparent, so that the hatching beneath shows.
 */
export function createPalette(look: HeatColours): Uint32Array {
  const palette = new Uint32Array(256);
  for (let level = ZERO_LEVEL; level < 256; level++) {
    const colour = levelColour(level, look);
    if (!colour) continue;
    palette[level] = ((255 << 24) | (colour[2] << 16) | (colour[1] << 8) | colour[0]) >>> 0;
  }
  return palette;
}
