/** What asked for an operation and takes its answer. */
export interface Operation {
  /** Status and value by the table in `scripts/shared.ts`. */
  answered: (status: number, value: number | string) => void;
  failed: (error: Error) => void;
  /** Called once when Redis has not answered for a second. */
  slow?: () => void;
}

export type OperationCode = 't' | 'T' | 'w' | 'W' | 'b' | 'e' | 'f' | 'n' | 'r' | 'R' | 'l' | 'x';

/** Carries operations to Redis: to one server (`Batch`), or to a majority of several (`Quorum`). */
export interface Sender {
  /** `task` is the owner's part behind the instance, `extra` as the table has it for `code`. */
  add: (
    operation: Operation,
    code: OperationCode,
    key: string,
    task: string,
    ttlMs: number,
    extra: string,
  ) => void;
}

/** For an operation whose failure changes nothing: a report, or giving back what lapses by itself. */
export const IGNORED: Operation = { answered: () => undefined, failed: () => undefined };
