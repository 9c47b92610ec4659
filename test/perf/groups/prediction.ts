import type { Report } from '@/test/perf/index';
import { judgePrograms, precisionOf, recallOf, scoreOf } from '@/test/perf/prediction/measure';

const SEED = 20_261_101;

/** Generated programs whose deadlocks are known from all interleavings, against what runs by chance teach of them. */
export async function measurePrediction(report: Report, quick: boolean): Promise<void> {
  const programs = quick ? 280 : 1400;
  const judged = judgePrograms({ programs, seed: SEED, seesTries: true, seesWaits: true });
  const score = scoreOf(judged);
  report('prediction.programs', judged.length);
  report('prediction.programs.withDeadlock', judged.filter(({ real }) => real.size > 0).length);
  report('prediction.precision', precisionOf(score));
  report('prediction.recall', recallOf(score));
  for (const kind of new Set(judged.map(({ program }) => program.kind))) {
    const ofKind = scoreOf(judged.filter(({ program }) => program.kind === kind));
    report(`prediction.${kind}.wrong`, ofKind.wrong);
    report(`prediction.${kind}.missed`, ofKind.missed);
  }
  const without = {
    triesUnseen: { seesTries: false, seesWaits: true },
    waitsUnseen: { seesTries: true, seesWaits: false },
  };
  for (const [name, sight] of Object.entries(without)) {
    const blind = scoreOf(judgePrograms({ programs, seed: SEED, ...sight }));
    report(`prediction.precision.${name}`, precisionOf(blind));
    report(`prediction.recall.${name}`, recallOf(blind));
  }
}
