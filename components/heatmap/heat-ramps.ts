export type HeatTheme = 'light' | 'dark';
/** Red, green, blue, each 0…255. */
export type Rgb = readonly [number, number, number];

export const RAMP_NAMES = ['viridis', 'inferno'] as const;
export type RampName = (typeof RAMP_NAMES)[number];

interface Ramp {
  /** Of a known zero; near the surface. */
  zero: Rgb;
  /** From just above zero to the hottest. */
  stops: readonly Rgb[];
}

/**
 * Stops along two well-known ramps whose lightness rises evenly and which stay ordered under every common
 * colour blindness. On a dark page hot is bright, on a light page hot is dark.
 */
export const HEAT_RAMPS: Record<RampName, Record<HeatTheme, Ramp>> = {
  viridis: {
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
  },
  inferno: {
    dark: {
      zero: [30, 33, 42],
      stops: [
        [58, 26, 92],
        [101, 30, 110],
        [148, 44, 103],
        [194, 64, 76],
        [229, 103, 43],
        [247, 161, 30],
        [250, 242, 140],
      ],
    },
    light: {
      zero: [240, 242, 244],
      stops: [
        [252, 232, 178],
        [250, 193, 96],
        [240, 138, 50],
        [212, 83, 60],
        [160, 48, 99],
        [97, 24, 110],
        [28, 10, 50],
      ],
    },
  },
};

interface ChangeRamp {
  /** From no change outwards. */
  less: readonly Rgb[];
  same: Rgb;
  more: readonly Rgb[];
}

/** Blue and orange are told apart under every common colour blindness; both leave `same` evenly. */
export const CHANGE_RAMPS: Record<HeatTheme, ChangeRamp> = {
  dark: {
    less: [
      [38, 52, 74],
      [42, 92, 148],
      [79, 144, 214],
      [176, 216, 250],
    ],
    same: [38, 40, 48],
    more: [
      [68, 48, 38],
      [140, 74, 22],
      [216, 124, 40],
      [252, 208, 142],
    ],
  },
  light: {
    less: [
      [214, 228, 242],
      [134, 178, 222],
      [56, 118, 184],
      [14, 52, 112],
    ],
    same: [240, 242, 244],
    more: [
      [248, 226, 204],
      [234, 168, 100],
      [192, 96, 22],
      [104, 42, 4],
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

const BLACK: Rgb = [0, 0, 0];

/** The colour at 0…1 of the way along evenly spaced stops. */
export function alongStops(stops: readonly Rgb[], position: number): Rgb {
  const at = Math.min(1, Math.max(0, position)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[index] ?? BLACK, stops[index + 1] ?? BLACK, at - index);
}
