import type { LockTaker } from '@/test/perf/lock/client';
import { monotonicMs } from '@/test/perf/lock/clock';
import type { ContendedJob, ContendedResult, Window } from '@/test/perf/lock/job';
import type { Section, Unserved } from '@/test/perf/lock/sections';
import { pause } from '@/test/support/pause';

/** The one lock that all workers want. */
const NAME = 'bench:one';

const until = async (at: number): Promise<void> => await pause(Math.max(0, at - monotonicMs()));

/** One worker's loop, which notes its passes in `sections` and the wait it is in, if any, in `asked`. */
async function work(
  { taker, job, window }: Contest,
  worker: number,
  notes: { sections: Section[]; asked: Map<number, number> },
): Promise<void> {
  for (let askedAt = monotonicMs(); askedAt < window.endsAt; askedAt = monotonicMs()) {
    notes.asked.set(worker, askedAt);
    const hold = await taker.acquire(NAME);
    const enteredAt = monotonicMs();
    notes.asked.delete(worker);
    await pause(job.holdMs);
    const section: Section = { worker, askedAt, enteredAt, leftAt: monotonicMs() };
    if (hold.fence !== undefined) section.fence = hold.fence;
    notes.sections.push(section);
    await hold.release();
  }
}

export interface Contest {
  taker: LockTaker;
  job: ContendedJob;
  window: Window;
  commandsSent: () => number;
}

/** This process's workers, from now until the window is over and their last waits are. */
export async function contend(contest: Contest): Promise<ContendedResult> {
  const { job, window, commandsSent } = contest;
  const notes = { sections: [] as Section[], asked: new Map<number, number>() };
  const workers = Promise.all(
    Array.from({ length: job.workers }, async (_, i) => {
      await work(contest, job.firstWorker + i, notes);
    }),
  );
  await until(window.startsAt);
  const before = commandsSent();
  await until(window.endsAt);
  const commands = commandsSent() - before;
  await Promise.race([workers, until(window.givesUpAt)]);
  const givenUpAt = monotonicMs();
  const unserved: Unserved[] = [...notes.asked].map(([worker, askedAt]) => ({
    worker,
    askedAt,
    givenUpAt,
  }));
  return { sections: notes.sections, unserved, commands };
}
