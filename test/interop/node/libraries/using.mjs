/**
 * Libraries that renew only around a function: `enter` starts it and returns once it runs, `leave` lets it end
 * and passes on how that went. The abort signal is what the library tells the application.
 */
export class Using {
  #running = new Map();
  #tell;

  constructor(tell) {
    this.#tell = tell;
  }

  has(name) {
    return this.#running.has(name);
  }

  async enter(name, run) {
    return await new Promise((resolve, reject) => {
      let end;
      const ended = new Promise((done) => (end = done));
      const outcome = run(async (signal, known) => {
        signal.addEventListener('abort', () =>
          this.#tell(name, `abort: ${signal.error?.message ?? signal.reason ?? ''}`),
        );
        resolve({ held: true, depth: null, ...known });
        await ended;
      });
      // Whoever leaves hears of it; until then it is nobody's.
      outcome.catch(reject);
      this.#running.set(name, { end, outcome });
    });
  }

  async leave(name) {
    const { end, outcome } = this.#running.get(name);
    this.#running.delete(name);
    end();
    await outcome;
    return {};
  }
}
