import type { ExpositionFormat } from './exposition';

interface MediaRange {
  type: string;
  version: string | null;
  quality: number;
}

/** One entry of an Accept header (RFC 9110, section 12.5.1); a weight that is none counts as 0. */
function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const parameter = (name: string): string | null => {
    const found = parameters.find((each) => each.toLowerCase().startsWith(`${name}=`));
    return found?.slice(name.length + 1).replaceAll('"', '') ?? null;
  };
  const weight = Number(parameter('q') ?? 1);
  const quality = weight >= 0 && weight <= 1 ? weight : 0;
  return { type: type.toLowerCase(), version: parameter('version'), quality };
}

/** OpenMetrics only where it is asked for in version 1.0.0, or in none, and not liked less than text. */
export function formatFor(accept: string | null): ExpositionFormat {
  const ranges = (accept ?? '').split(',').map(parseRange);
  const best = (fits: (range: MediaRange) => boolean): number =>
    Math.max(0, ...ranges.filter(fits).map(({ quality }) => quality));
  const openMetrics = best(
    ({ type, version }) =>
      type === 'application/openmetrics-text' && (version === null || version === '1.0.0'),
  );
  const text = best(({ type }) => type === 'text/plain');
  return openMetrics > 0 && openMetrics >= text ? 'openmetrics' : 'text';
}
