import type { Bytes } from '@/lib/protocol/bytes';
import { lockId } from '@/server/state/lock-record';
import type { TraceSampleObservation } from '@/server/watch/observation';

/** A trace tells its figures again and again, each time as they have grown: this tells what is new in them. */
export class SampledAttempts {
  #trace: string | null = null;
  readonly #told = new Map<string, number>();

  newIn({ trace, storms }: TraceSampleObservation): { db: number; key: Bytes; count: number }[] {
    if (trace !== this.#trace) this.#told.clear();
    this.#trace = trace;
    return storms.flatMap(({ db, key, failed }) => {
      const id = lockId(db, key);
      const count = failed - (this.#told.get(id) ?? 0);
      this.#told.set(id, failed);
      return count > 0 ? [{ db, key, count }] : [];
    });
  }
}
