/** Runs work one after another, in the order of the calls. A failure does not stop what follows. */
export function createSerial(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    // Whoever called hears of the failure; the chain only needs to know that it is over.
    last = run.catch(() => {});
    return run;
  };
}
