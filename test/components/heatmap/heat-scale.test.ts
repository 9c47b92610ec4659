import { describe, expect, it } from 'vitest';
import {
  UNKNOWN_LEVEL,
  ZERO_LEVEL,
  brighten,
  legendValues,
  levelOf,
  positionOf,
  scaleTop,
  valueAt,
} from '@/components/heatmap/heat-scale';
import { createPalette, inkOn, levelColour } from '@/components/heatmap/heat-palette';

describe('the heat scale', () => {
  it('tells unknown, zero and the smallest positive value apart', () => {
    expect(levelOf(null, 100)).toBe(UNKNOWN_LEVEL);
    expect(levelOf(0, 100)).toBe(ZERO_LEVEL);
    expect(levelOf(1e-9, 100)).toBeGreaterThan(ZERO_LEVEL);
    expect(levelOf(100, 100)).toBe(255);
    expect(levelOf(500, 100)).toBe(255);
  });

  it('rises with the value and comes back from a position', () => {
    const levels = [0.1, 1, 5, 20, 60, 100].map((value) => levelOf(value, 100));
    expect([...levels].sort((a, b) => a - b)).toEqual(levels);
    expect(new Set(levels).size).toBe(levels.length);
    for (const value of [0, 0.5, 3, 77]) {
      expect(valueAt(positionOf(value, 100), 100)).toBeCloseTo(value, 6);
    }
  });

  it('brightens as a smaller top would, and leaves both ends in range', () => {
    expect(brighten(positionOf(10, 100), 1)).toBeCloseTo(positionOf(20, 100), 6);
    expect(brighten(1, 3)).toBe(1);
    expect(brighten(0.5, -2)).toBeLessThan(0.5);
    expect(brighten(0, 6)).toBe(0);
  });

  it('gives a quiet Redis no hottest colour', () => {
    expect(scaleTop('acquisitions', 0.1)).toBeGreaterThan(0.1);
    expect(scaleTop('acquisitions', 5000)).toBe(5000);
  });

  it('labels the legend from zero to the top in order', () => {
    const values = legendValues(2300);
    expect(values[0]).toBe(0);
    expect(values.at(-1)).toBe(2300);
    expect([...values].sort((a, b) => a - b)).toEqual(values);
  });
});

describe('the palette', () => {
  it('leaves unknown transparent and every known level opaque', () => {
    for (const theme of ['light', 'dark'] as const) {
      const palette = createPalette(theme, 0);
      expect(palette[UNKNOWN_LEVEL]).toBe(0);
      for (let level = ZERO_LEVEL; level < 256; level++)
        expect((palette[level] ?? 0) >>> 24).toBe(255);
    }
  });

  it('changes lightness in one direction only, so that it is ordered for the colour-blind', () => {
    for (const theme of ['light', 'dark'] as const) {
      const luminance = Array.from({ length: 254 }, (_, i) => {
        const [r, g, b] = levelColour(i + 2, theme, 0) ?? [0, 0, 0];
        return 0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2;
      });
      const sign = theme === 'dark' ? 1 : -1;
      for (let i = 1; i < luminance.length; i++) {
        expect(sign * ((luminance[i] ?? 0) - (luminance[i - 1] ?? 0))).toBeGreaterThan(-0.003);
      }
    }
  });

  it('writes on a colour in the ink that reads better', () => {
    expect(inkOn([253, 231, 37])).toBe('#000');
    expect(inkOn([62, 8, 82])).toBe('#fff');
  });
});

describe('the legend', () => {
  it('keeps its figures apart, whatever the top of the scale', () => {
    for (let top = 0.05; top < 1e7; top *= 1.37) {
      const places = legendValues(top).map((value) => positionOf(value, top));
      for (let i = 1; i < places.length; i++) {
        expect((places[i] ?? 0) - (places[i - 1] ?? 0), `at ${top}`).toBeGreaterThan(0.17);
      }
    }
  });
});
