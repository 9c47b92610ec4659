import { UNKNOWN_LEVEL, ZERO_LEVEL, brighten, positionOfLevel } from './heat-scale';

export type HeatTheme = 'light' | 'dark';
export type Rgb = readonly [number, number, number];

/**
 * Stops along viridis, whose lightness rises evenly and which stays ordered under every common colour
 * blindness. On a dark page hot is bright, on a light page hot is dark; zero lies near the surface.
 */
const RAMPS: Record<HeatTheme, { zero: Rgb; stops: readonly Rgb[] }> = {
  dark: {
    zero: [30, 33, 42],
    stops: [
      [56, 42, 92],
      [65, 72, 138],
      [49, 104, 142],
      [36, 140, 140],
      [53, 183, 121],
      [142, 214, 69],
      [253, 231, 37],
    ],
  },
  light: {
    zero: [240, 242, 244],
    stops: [
      [222, 238, 190],
      [166, 217, 137],
      [88, 187, 128],
      [41, 148, 139],
      [45, 106, 142],
      [66, 64, 134],
      [62, 8, 82],
    ],
  },
};

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [
    Math.round(from[0] + (to[0] - from[0]) * share),
    Math.round(from[1] + (to[1] - from[1]) * share),
    Math.round(from[2] + (to[2] - from[2]) * share),
  ];
}

/** The colour of a position 0…1 above zero. */
export function rampColour(theme: HeatTheme, position: number): Rgb {
  const { stops, zero } = RAMPS[theme];
  const at = Math.min(1, Math.max(0, position)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[index] ?? zero, stops[index + 1] ?? zero, at - index);
}

export function zeroColour(theme: HeatTheme): Rgb {
  return RAMPS[theme].zero;
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
export function levelColour(level: number, theme: HeatTheme, brightness: number): Rgb | null {
  if (level === UNKNOWN_LEVEL) return null;
  if (level === ZERO_LEVEL) return zeroColour(theme);
  return rampColour(theme, brighten(positionOfLevel(level), brightness));
}

/**
 * 256 pixels, one per level, in the byte order of ImageData on little-endian machines (all that run
 * browsers). Unknown is transparent, so that the hatching beneath shows.
 */
export function createPalette(theme: HeatTheme, brightness: number): Uint32Array {
  const palette = new Uint32Array(256);
  for (let level = ZERO_LEVEL; level < 256; level++) {
    const colour = levelColour(level, theme, brightness);
    if (!colour) continue;
    palette[level] = ((255 << 24) | (colour[2] << 16) | (colour[1] << 8) | colour[0]) >>> 0;
  }
  return palette;
}
