import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { ConfigCheck } from '@/lib/protocol/advice';
import type { Severity } from '@/lib/protocol/alert';
import type { Sentence } from '@/lib/protocol/sentence';
import type { ConfigFacts, ConfigName } from './config-facts';

/** What a check says, without its name. */
export type Verdict = Omit<ConfigCheck, 'id'>;

interface More {
  evidence?: ConfigCheck['evidence'];
  /** Exact enough to paste. */
  command?: string;
}

const verdict = (
  judged: Pick<ConfigCheck, 'state' | 'severity'>,
  reason: Sentence | readonly Sentence[],
  { evidence = [], command }: More,
): Verdict => {
  const sentences = [reason].flat();
  return {
    ...judged,
    ...{ reason: inEnglish(sentences), sentences, evidence, command: command ?? null },
  };
};

export const ok = (reason: Sentence, more: More = {}): Verdict =>
  verdict({ state: 'ok', severity: null }, reason, more);

export const wrong = (severity: Severity, reason: Sentence, more: More = {}): Verdict =>
  verdict({ state: 'wrong', severity }, reason, more);

export const unknown = (reason: Sentence | readonly Sentence[], more: More = {}): Verdict =>
  verdict({ state: 'unknown', severity: null }, reason, more);

const isConnected = ({ target }: ConfigFacts): boolean =>
  target.nodes.some(({ connected }) => connected);

const notConnected = (): Verdict => unknown(sentence('config:not-connected', {}));

/** CONFIG was not answered: why, and what it would be asked. */
export function noConfig(facts: ConfigFacts, names: readonly ConfigName[]): Verdict {
  if (!isConnected(facts)) return notConnected();
  return unknown(sentence('config:no-config', { rule: aclRule(facts, '+config|get') }), {
    command: `${facts.cli} CONFIG GET ${names.join(' ')}`,
  });
}

export function noInfo(facts: ConfigFacts, section: string): Verdict {
  if (!isConnected(facts)) return notConnected();
  return unknown(sentence('config:no-info', { rule: aclRule(facts, '+info') }), {
    command: `${facts.cli} INFO ${section}`,
  });
}

export const aclRule = ({ user }: Pick<ConfigFacts, 'user'>, rules: string): string =>
  `ACL SETUSER ${user} ${rules}`;

/** `CONFIG SET` as a line for a shell. */
export const configSet = (
  { cli }: Pick<ConfigFacts, 'cli'>,
  settings: Partial<Record<ConfigName | 'maxmemory', string>>,
): string =>
  `${cli} CONFIG SET ${Object.entries(settings)
    .map(([name, value]) => `${name} ${/^[\w.-]+$/.test(value) ? value : `"${value}"`}`)
    .join(' ')}`;

/** Settings as evidence, those that were read. */
export const settings = (
  { config }: ConfigFacts,
  names: readonly ConfigName[],
): ConfigCheck['evidence'] =>
  names.flatMap((name) => {
    const value = config?.get(name);
    return value === undefined ? [] : [{ name, value: value === '' ? '""' : value }];
  });

/** Fields of INFO as evidence, those that were read. */
export const infoFields = (
  { info }: ConfigFacts,
  names: readonly string[],
): ConfigCheck['evidence'] =>
  names.flatMap((name) => {
    const value = info?.get(name);
    return value === undefined ? [] : [{ name, value }];
  });
