export type {
  TaskDefinition,
  TaskEvent,
  TaskRun,
  TaskRunner,
  TaskRunnerOptions,
  TaskRunState,
  TaskRunStatus,
  TaskStep,
} from './contract.js';
export { createTaskRunner } from './task-runner.js';
