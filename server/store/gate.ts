/** Lets many read at once, and one write while nobody reads. In the order of the calls. */
export interface ReadWriteGate {
  read: <T>(work: () => Promise<T>) => Promise<T>;
  write: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createGate(): ReadWriteGate {
  let lastWrite: Promise<unknown> = Promise.resolve();
  const reads = new Set<Promise<unknown>>();
  return {
    read: (work) => {
      const run = lastWrite.then(work);
      // Whoever called hears of the failure; a write only needs to know that it is over.
      const over = run.catch(() => undefined).finally(() => reads.delete(over));
      reads.add(over);
      return run;
    },
    write: (work) => {
      const before = [lastWrite, ...reads];
      const run = Promise.all(before).then(work);
      lastWrite = run.catch(() => undefined);
      return run;
    },
  };
}
