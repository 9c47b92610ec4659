import { describe, expect, it } from 'vitest';
import { figure, changeFigure, metricFigure } from '@/components/heatmap/heat-format';
import { legendOf } from '@/components/heatmap/heat-legend-figures';
import {
  UNKNOWN_LEVEL,
  ZERO_LEVEL,
  brighten,
  changeLegendValues,
  legendValues,
  levelOf,
  positionOf,
  scaleTop,
  valueAt,
} from '@/components/heatmap/heat-scale';

const HEAT = { kind: 'heat', top: 100 } as const;

describe('the heat scale', () => {
  it('tells unknown, zero and the smallest positive value apart', () => {
    expect(levelOf(null, HEAT)).toBe(UNKNOWN_LEVEL);
    expect(levelOf(Number.NaN, HEAT)).toBe(UNKNOWN_LEVEL);
    expect(levelOf(0, HEAT)).toBe(ZERO_LEVEL);
    expect(levelOf(1e-9, HEAT)).toBeGreaterThan(ZERO_LEVEL);
    expect(levelOf(100, HEAT)).toBe(255);
    expect(levelOf(500, HEAT)).toBe(255);
  });

  it('rises with the value and comes back from a position', () => {
    const levels = [0.1, 1, 5, 20, 60, 100].map((value) => levelOf(value, HEAT));
    expect([...levels].sort((a, b) => a - b)).toEqual(levels);
    expect(new Set(levels).size).toBe(levels.length);
    for (const value of [0, 0.5, 3, 77]) {
      expect(valueAt(positionOf(value, 100), 100)).toBeCloseTo(value, 6);
    }
  });

  it('brightens as a smaller top would, on both sides of zero, and leaves the ends in range', () => {
    expect(brighten(positionOf(10, 100), 1)).toBeCloseTo(positionOf(20, 100), 6);
    expect(brighten(-positionOf(10, 100), 1)).toBeCloseTo(-positionOf(20, 100), 6);
    expect(brighten(1, 3)).toBe(1);
    expect(brighten(0.5, -2)).toBeLessThan(0.5);
    expect(brighten(0, 6)).toBe(0);
  });

  it('gives a quiet Redis no hottest colour', () => {
    expect(scaleTop('acquisitions', 0.1)).toBeGreaterThan(0.1);
    expect(scaleTop('acquisitions', 5000)).toBe(5000);
  });
});

describe('the legend', () => {
  it('is labelled from zero to the top in order', () => {
    const values = legendValues(2300);
    expect(values[0]).toBe(0);
    expect(values.at(-1)).toBe(2300);
    expect([...values].sort((a, b) => a - b)).toEqual(values);
  });

  it('keeps its figures apart, whatever the top of the scale', () => {
    for (let top = 0.05; top < 1e7; top *= 1.37) {
      const places = legendValues(top).map((value) => positionOf(value, top));
      for (let i = 1; i < places.length; i++) {
        expect((places[i] ?? 0) - (places[i - 1] ?? 0), `at ${top}`).toBeGreaterThan(0.17);
      }
    }
  });

  it('goes from less over no change to more, with its figures in place', () => {
    for (let top = 0.05; top < 1e7; top *= 1.37) {
      const values = changeLegendValues(top);
      expect([...values].sort((a, b) => a - b)).toEqual(values);
    }
    const colours = { theme: 'light', ramp: 'viridis', brightness: 0, kind: 'change' } as const;
    const { figures, zero } = legendOf('waiters', { kind: 'change', top: 10 }, colours);
    expect(figures.map(({ text }) => text)).toEqual(['−10', '−0.1', '0', '+0.1', '+10']);
    expect(figures.map(({ place }) => place)).toEqual([
      0,
      expect.closeTo(0.326, 2),
      0.5,
      expect.closeTo(0.674, 2),
      1,
    ]);
    expect(zero).toBeNull();
  });
});

describe('figures', () => {
  it('keep three digits at most, and shares below one are percentages', () => {
    expect([0, 0.0421, 1.55, 320.4, 12_400, 2_500_000].map(figure)).toEqual([
      '0',
      '0.042',
      '1.6',
      '320',
      '12.4k',
      '2.5M',
    ]);
    expect(metricFigure('hold-share', 0.424)).toBe('42.4%');
    expect(metricFigure('hold-share', 2)).toBe('200%');
    expect(metricFigure('hold-share', 0)).toBe('0%');
    expect(metricFigure('hold-share', 29.31)).toBe('2,931%');
    expect(metricFigure('acquisitions', 0.5)).toBe('0.5');
  });

  it('say durations in the unit that reads best', () => {
    const waits = [4.2, 320, 1500, 150_000, 9_000_000].map((ms) => metricFigure('wait', ms));
    expect(waits).toEqual(['4.2 ms', '320 ms', '1.5 s', '2.5 min', '2.5 h']);
  });

  it('carry their sign when they are changes', () => {
    expect([0.12, -3, 0].map((value) => changeFigure('hold-share', value))).toEqual([
      '+12%',
      '−300%',
      '0%',
    ]);
  });
});
