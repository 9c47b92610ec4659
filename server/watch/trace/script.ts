import { createHash } from 'node:crypto';
import type { Bytes } from '@/lib/protocol/bytes';
import { detached } from './detached';
import type { Arguments } from './monitor-line';

/** A script that was called, by its SHA-1 or a function's name. */
export interface ScriptName {
  id: string;
  /** The Redis commands that its text names; null where only the SHA-1 was sent. */
  commands: ReadonlySet<string> | null;
  /** Called in a way in which it can write nothing. */
  onlyReads: boolean;
}

const NAMED_COMMANDS = /redis\.p?call\(\s*['"](\w{1,20})['"]/gi;

/** The text is read for the names of commands and not kept. */
function ofText(text: Bytes | null): Omit<ScriptName, 'onlyReads'> | null {
  if (text === null) return null;
  const names = [...text.matchAll(NAMED_COMMANDS)].map(([, name = '']) => name.toLowerCase());
  const id = createHash('sha1').update(text, 'latin1').digest('hex');
  return { id, commands: new Set(names) };
}

const ofName = (name: Bytes | null): Omit<ScriptName, 'onlyReads'> | null =>
  name === null ? null : { id: name.toLowerCase().slice(0, 100), commands: null };

const CALLS = new Map([
  ['eval', ofText],
  ['eval_ro', ofText],
  ['evalsha', ofName],
  ['evalsha_ro', ofName],
  ['fcall', ofName],
  ['fcall_ro', ofName],
]);

export const isScriptCall = (command: string): boolean => CALLS.has(command);

/** Null when the line was cut within the script's text. */
export function readScript(command: string, args: Arguments): ScriptName | null {
  const called = CALLS.get(command)?.(args.next());
  return called ? { ...called, onlyReads: command.endsWith('_ro') } : null;
}

/** What a script was seen to do. */
export type ScriptUse = 'takes' | 'keeps' | 'gives-back';

const MOST_SCRIPTS = 1000;

/** Remembers what scripts did, because one that only looked does not show what it would have done. */
export interface ScriptMemory {
  note: (id: string, use: ScriptUse) => void;
  has: (id: string, use: ScriptUse) => boolean;
  knows: (id: string) => boolean;
}

export function createScriptMemory(): ScriptMemory {
  const uses = new Map<string, Set<ScriptUse>>();
  return {
    note: (id, use) => {
      const known = uses.get(id);
      if (known) known.add(use);
      else if (uses.size < MOST_SCRIPTS) uses.set(detached(id), new Set([use]));
    },
    has: (id, use) => uses.get(id)?.has(use) ?? false,
    knows: (id) => uses.has(id),
  };
}
