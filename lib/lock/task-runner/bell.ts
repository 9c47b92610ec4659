/** Lets one loop sleep until somebody rings, a time is over, or the end. A ring before the sleep is not lost. */
export interface Bell {
  ring: () => void;
  /** Ends at once when it rang since the last sleep ended. */
  sleep: (ms: number) => Promise<void>;
  /** Sleeps on through rings; only the end cuts it short. */
  pause: (ms: number) => Promise<void>;
}

export function createBell(end: AbortSignal): Bell {
  let rung = false;
  let wake: (() => void) | null = null;

  const rest = async (ms: number, wakesOnRing: boolean): Promise<void> => {
    if (end.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        end.removeEventListener('abort', finish);
        wake = null;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      end.addEventListener('abort', finish, { once: true });
      if (wakesOnRing) wake = finish;
    });
  };

  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    sleep: async (ms) => {
      if (!rung) await rest(ms, true);
      rung = false;
    },
    pause: async (ms) => {
      await rest(ms, false);
    },
  };
}
