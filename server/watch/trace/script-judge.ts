import { judgeCommand, type Judged } from './command-judge';
import type { Operation } from './operation';
import type { ScriptMemory, ScriptName, ScriptUse } from './script';
import type { KeyAt, StreamState } from './stream-state';

interface ScriptRun {
  key: KeyAt;
  /** What it did to the lock's key and its side keys, in order. */
  steps: readonly Operation[];
  script: ScriptName | null;
  scripts: ScriptMemory;
  state: StreamState;
}

const USE_OF: Partial<Record<Judged['deed'], ScriptUse>> = {
  took: 'takes',
  renewed: 'keeps',
  released: 'gives-back',
};

/**
 * What a script did to one lock. Commands that changed the lock say it; of a script that only looked it is
 * told by what it did at other times, else by its text, else by how it looked. Null = nothing to the lock.
 */
export function judgeScript(run: ScriptRun): Judged | null {
  const { key, steps, script, scripts } = run;
  const own = steps.filter(({ keys }) => keys[0] === key.key);
  if (own.length === 0) return null;
  const acted = actedOn(run, own);
  if (!acted) return lookedOnly(run, own);
  const use = USE_OF[acted.deed];
  if (script && use) scripts.note(script.id, use);
  return acted;
}

/** By the changes; null when the lock was only looked at. Taking counts before all else. */
function actedOn({ key, state }: ScriptRun, own: readonly Operation[]): Judged | null {
  const isRefresh = own.some(({ name }) => name === 'zscore');
  const found = new Map<Judged['deed'], Judged>();
  for (const [i, step] of own.entries()) {
    // A time to live is set by a script only when its write went through.
    const isFollowed = own.slice(i + 1).some(({ verb }) => verb === 'extend');
    const judged =
      step.verb === 'set-if-absent' && isFollowed
        ? taken(key, step, state)
        : judgeCommand(key, step, state);
    if (!judged || judged.deed === 'looked') continue;
    const deed = step.name === 'zadd' && isRefresh ? 'renewed' : judged.deed;
    found.set(deed, { ...judged, deed });
  }
  for (const deed of ['took', 'released', 'renewed', 'failed'] as const) {
    const judged = found.get(deed);
    if (judged) return judged;
  }
  return null;
}

function taken(key: KeyAt, step: Operation, state: StreamState): Judged {
  state.wrote(key, step);
  return { deed: 'took', isObserved: true };
}

const WRITES = ['set', 'setnx', 'msetnx', 'hset', 'hsetnx', 'hincrby', 'zadd', 'sadd', 'decrby'];
const ENDS = ['del', 'unlink', 'hdel', 'zrem', 'srem'];
/** By these a script asks whether it may enter, or for how long it must wait. */
const ASKS = ['exists', 'pttl', 'zcard', 'zcount', 'scard'];

function lookedOnly({ steps, script, scripts }: ScriptRun, own: readonly Operation[]): Judged {
  const failed = (isObserved: boolean): Judged => ({ deed: 'failed', isObserved });
  const looked: Judged = { deed: 'looked', isObserved: true };
  if (script?.onlyReads) return looked;
  if (script && scripts.has(script.id, 'takes')) return failed(true);
  if (script && scripts.knows(script.id)) return looked;
  // Who joins a queue did not get the lock.
  const joins = steps.some(({ name }) => name === 'rpush' || name === 'lpush');
  if (joins) return failed(true);
  const asks = own.some(({ name }) => ASKS.includes(name));
  const commands = script?.commands;
  if (!commands || commands.size === 0) return asks ? failed(false) : looked;
  const writes = WRITES.some((name) => commands.has(name));
  const ends = ENDS.some((name) => commands.has(name));
  if (!writes || (ends && !asks)) return looked;
  return failed(asks);
}
