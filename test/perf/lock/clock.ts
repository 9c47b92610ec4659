/**
 * Milliseconds on the system's monotonic clock, which all processes of this machine share (`performance.now`
 * starts anew in each).
 */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
