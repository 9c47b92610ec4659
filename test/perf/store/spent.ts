export interface Written {
  rowsPerSecond: number;
  /** Of all threads: beside other programs it says more than the clock. */
  rowsPerCpuSecond: number;
}

/** Time and processor time of what lies between `begin` and `end`. */
export class Spent {
  #ms = 0;
  #cpuMicroseconds = 0;
  #begunAt = 0;
  #before = process.cpuUsage();

  begin(): void {
    this.#begunAt = performance.now();
    this.#before = process.cpuUsage();
  }

  end(): void {
    this.#ms += performance.now() - this.#begunAt;
    const { user, system } = process.cpuUsage(this.#before);
    this.#cpuMicroseconds += user + system;
  }

  /** Of so many rows. */
  of(rows: number): Written {
    return {
      rowsPerSecond: (rows / this.#ms) * 1e3,
      rowsPerCpuSecond: (rows / this.#cpuMicroseconds) * 1e6,
    };
  }
}
