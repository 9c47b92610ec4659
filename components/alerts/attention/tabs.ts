/**
 * Of several tabs of the console one calls. Web Locks tell which: they are held as long as the tab lives, and pass on
 * by themselves when it is closed. Browsers have them where notifications are allowed at all: on https and localhost.
 */
const CALLS = 'lockscope-calls';
const IN_VIEW = 'lockscope-in-view';

const locksOf = (): LockManager | undefined =>
  // Older types say that it is always there; without a secure context it is not.
  'locks' in navigator ? navigator.locks : undefined;

/** Holds a lock until the signal ends it; tells when it is had. */
function hold(
  name: string,
  options: { mode: LockMode; signal: AbortSignal },
  onHeld: () => void,
): void {
  const { mode, signal } = options;
  const held = locksOf()?.request(name, { mode, signal }, async () => {
    onHeld();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  });
  // Ended before it was had: nothing is held.
  held?.catch(() => undefined);
}

/** Tells when this tab is the one that calls. Without Web Locks every tab is. */
export function becomeCaller(onTurn: () => void, signal: AbortSignal): void {
  if (locksOf()) hold(CALLS, { mode: 'exclusive', signal }, onTurn);
  else onTurn();
}

/** Says to the other tabs that this one is looked at. */
export function sayInView(signal: AbortSignal): void {
  hold(IN_VIEW, { mode: 'shared', signal }, () => undefined);
}

/** Whether any tab of the console is looked at. */
export async function isAnyInView(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true;
  const { held = [] } = (await locksOf()?.query()) ?? {};
  return held.some(({ name }) => name === IN_VIEW);
}
