export interface LeaseSignal {
  signal: AbortSignal;
  abort: () => void;
}

/**
 * An AbortSignal that tells the truth also to whoever asks before any timer could run, as after a pause of
 * the whole process: `aborted` and `throwIfAborted` first ask `lost`, which returns the reason once there is one.
 */
export function createLeaseSignal(lost: () => Error | null): LeaseSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (): void => {
    const reason = lost();
    if (reason && !isAborted()) controller.abort(reason);
  };
  const isAborted = (): boolean => Reflect.get(AbortSignal.prototype, 'aborted', signal) === true;
  Object.defineProperty(signal, 'aborted', {
    get: () => {
      abort();
      return isAborted();
    },
  });
  Object.defineProperty(signal, 'throwIfAborted', {
    value: () => {
      abort();
      AbortSignal.prototype.throwIfAborted.call(signal);
    },
  });
  abort();
  return { signal, abort };
}
