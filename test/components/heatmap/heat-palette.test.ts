import { describe, expect, it } from 'vitest';
import type { HeatColours } from '@/components/heatmap/heat-palette';
import {
  colourAt,
  createPalette,
  inkOn,
  levelColour,
  zeroColour,
} from '@/components/heatmap/heat-palette';
import type { Rgb } from '@/components/heatmap/heat-ramps';
import { RAMP_NAMES } from '@/components/heatmap/heat-ramps';
import { UNKNOWN_LEVEL, ZERO_LEVEL } from '@/components/heatmap/heat-scale';

type Matrix = readonly (readonly [number, number, number])[];

/** Full strength, on linear light: Machado, Oliveira and Fernandes, 2009, https://doi.org/10.1109/TVCG.2009.113 */
const SIGHTS: Record<string, Matrix> = {
  'every colour': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** CIELAB of a colour as somebody of that sight sees it. */
function labOf(colour: Rgb, sight: Matrix): { lightness: number; blueToYellow: number } {
  const light = colour.map(linear);
  const [r = 0, g = 0, b = 0] = sight.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, part, i) => sum + part * (light[i] ?? 0), 0),
      ),
    ),
  );
  const curve = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return { lightness: 116 * y - 16, blueToYellow: 200 * (y - z) };
}

const THEMES = ['light', 'dark'] as const;
const sights = Object.keys(SIGHTS);
const cases = THEMES.flatMap((theme) => sights.map((sight) => [theme, sight] as const));
const looks = RAMP_NAMES.flatMap((ramp) => cases.map((each) => [ramp, ...each] as const));

describe('the palette', () => {
  it('leaves unknown transparent and every known level opaque', () => {
    for (const kind of ['heat', 'change'] as const) {
      const palette = createPalette({ theme: 'light', ramp: 'viridis', brightness: 0, kind });
      expect(palette[UNKNOWN_LEVEL]).toBe(0);
      for (let level = ZERO_LEVEL; level < 256; level++) {
        expect((palette[level] ?? 0) >>> 24).toBe(255);
      }
    }
  });

  it.each(looks)('%s rises evenly from zero to hot, %s, for %s', (ramp, theme, sight) => {
    const colours: HeatColours = { theme, ramp, brightness: 0, kind: 'heat' };
    const matrix = SIGHTS[sight] ?? [];
    const hot = theme === 'dark' ? 1 : -1;
    const lightness = Array.from({ length: 255 }, (_, i) =>
      labOf(levelColour(i + 1, colours) ?? [0, 0, 0], matrix),
    ).map((lab) => hot * lab.lightness);
    for (let i = 1; i < lightness.length; i++) {
      // Whole numbers of a channel make steps of their own, a tenth of what the eye tells apart.
      expect((lightness[i] ?? 0) - (lightness[i - 1] ?? 0), `level ${i + 1}`).toBeGreaterThan(-0.2);
    }
    const quarters = [0, 64, 127, 190, 254].map((i) => lightness[i] ?? 0);
    for (let i = 1; i < quarters.length; i++) {
      expect((quarters[i] ?? 0) - (quarters[i - 1] ?? 0), `quarter ${i}`).toBeGreaterThan(6);
    }
  });

  it.each(cases)('tells less from more, %s, for %s', (theme, sight) => {
    const colours: HeatColours = { theme, ramp: 'viridis', brightness: 0, kind: 'change' };
    const matrix = SIGHTS[sight] ?? [];
    const away = theme === 'dark' ? 1 : -1;
    const at = (position: number) => labOf(colourAt(colours, position), matrix);
    for (let step = 1; step <= 32; step++) {
      for (const side of [-1, 1]) {
        const outward = at((side * step) / 32).lightness - at((side * (step - 1)) / 32).lightness;
        expect(away * outward, `${side * step}/32`).toBeGreaterThan(-0.2);
      }
      const [less, more] = [at(-step / 32), at(step / 32)];
      if (step >= 8) {
        expect(more.blueToYellow - less.blueToYellow, `${step}/32`).toBeGreaterThan(20);
      }
    }
  });

  it('has one colour of its own for a known zero and for no change', () => {
    for (const kind of ['heat', 'change'] as const) {
      const colours: HeatColours = { theme: 'dark', ramp: 'inferno', brightness: 2, kind };
      const level = kind === 'heat' ? ZERO_LEVEL : 128;
      expect(levelColour(level, colours)).toEqual(zeroColour(colours));
    }
  });

  it('writes on a colour in the ink that reads better', () => {
    expect(inkOn([253, 231, 37])).toBe('#000');
    expect(inkOn([62, 8, 82])).toBe('#fff');
  });
});
