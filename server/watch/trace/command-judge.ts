import type { Deed } from './classifier';
import type { Operation } from './operation';
import type { KeyAt, StreamState } from './stream-state';

export interface Judged {
  deed: Deed;
  isObserved: boolean;
}

const observed = (deed: Deed): Judged => ({ deed, isObserved: true });

/** A write only where nothing is: the one command that fails without a trace. */
function conditional(key: KeyAt, operation: Operation, state: StreamState): Judged {
  const { exists, isCertain } = state.find(key, operation.value);
  if (exists) return { deed: 'failed', isObserved: isCertain };
  state.wrote(key, operation);
  return { deed: 'took', isObserved: isCertain };
}

/** The holder's own value again is a renewal; another one is a hold that began by writing over. */
function written(key: KeyAt, operation: Operation, state: StreamState): Judged {
  const { isSame, isCertain } = state.find(key, operation.value);
  state.wrote(key, operation);
  return { deed: isSame ? 'renewed' : 'took', isObserved: isCertain };
}

/** What a single command did to the lock that it names, and what is there afterwards. Null = nothing. */
export function judgeCommand(key: KeyAt, operation: Operation, state: StreamState): Judged | null {
  switch (operation.verb) {
    case 'set-if-absent':
      return conditional(key, operation, state);
    case 'set':
      return written(key, operation, state);
    case 'set-if-present':
    case 'extend':
      state.extended(key, operation.until ?? null);
      return observed('renewed');
    case 'add':
      state.wrote(key, { value: null });
      return observed('took');
    case 'remove':
      return observed('released');
    case 'delete':
      state.gone(key);
      return observed('released');
    case 'look':
      return observed('looked');
    default:
      return null;
  }
}
