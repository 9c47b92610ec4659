/** `ms` to the nearest multiple of `unitMs`, half up: a duration is told by the digits that are shown. */
export const roundTo = (ms: number, unitMs: number): number => Math.round(ms / unitMs) * unitMs;
