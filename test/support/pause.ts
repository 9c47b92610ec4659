/** Lets time pass where time itself is what a test plays through (a hold of 300 ms), never to wait for an effect. */
export const pause = async (ms: number): Promise<void> =>
  await new Promise((resolve) => setTimeout(resolve, ms));
