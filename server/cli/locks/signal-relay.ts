import { constants } from 'node:os';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Hears the signals that this process gets, from its making until `end`: without a listener even for the time
 * that starting a child takes, a signal would end us and leave the child without its lock.
 */
export interface SignalRelay {
  /** Aborts at a signal that nobody takes yet. */
  readonly signal: AbortSignal;
  /** Exit code of the signal that nobody took, as shells count: 128 and its number. */
  readonly exitCode: number;
  /** From now on signals go to `take`; null = to nobody again. */
  passTo: (take: ((name: NodeJS.Signals) => void) | null) => void;
  end: () => void;
}

export const codeOfSignal = (name: NodeJS.Signals): number => 128 + (constants.signals[name] ?? 0);

export function createSignalRelay(): SignalRelay {
  const untaken = new AbortController();
  let exitCode = 1;
  let taker: ((name: NodeJS.Signals) => void) | null = null;
  const onSignal = (name: NodeJS.Signals): void => {
    if (taker) {
      taker(name);
      return;
    }
    exitCode = codeOfSignal(name);
    untaken.abort(new Error(`interrupted by ${name}`));
  };
  for (const name of PASSED_ON) process.on(name, onSignal);
  return {
    signal: untaken.signal,
    get exitCode() {
      return exitCode;
    },
    passTo: (take) => {
      taker = take;
    },
    end: () => {
      for (const name of PASSED_ON) process.off(name, onSignal);
    },
  };
}
