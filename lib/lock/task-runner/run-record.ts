import type { TaskRunState, TaskRunStatus } from './contract.js';
import { decode } from './json.js';

/** Fields of acknowledged steps begin with it. */
export const STEP = 'step:';

const STATES: readonly TaskRunState[] = ['waiting', 'running', 'done', 'failed'];

const numberOf = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text);

/** Reads a run's hash. */
export function parseRun(
  task: string,
  id: string,
  fields: Readonly<Record<string, string>>,
): TaskRunStatus {
  const state = STATES.find((known) => known === fields.state) ?? 'waiting';
  const ended = state === 'done' || state === 'failed';
  const attempts = Number(fields.attempts ?? 0);
  return {
    task,
    id,
    state,
    payload: decode(fields.payload),
    attempt: ended ? attempts : attempts + 1,
    takeovers: Number(fields.takeovers ?? 0),
    acknowledged: Number(fields.acknowledged ?? 0),
    progress: decode(fields.progress),
    steps: Object.fromEntries(
      Object.entries(fields)
        .filter(([field]) => field.startsWith(STEP))
        .map(([field, value]) => [field.slice(STEP.length), decode(value)]),
    ),
    result: decode(fields.result),
    error: fields.error ?? null,
    runner: fields.runner ?? null,
    fence: numberOf(fields.fence),
    triggeredAt: Number(fields.triggeredAt ?? 0),
    startedAt: numberOf(fields.startedAt),
    endedAt: numberOf(fields.endedAt),
  };
}
