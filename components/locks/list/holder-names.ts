import type { Lock, Owner } from '@/lib/protocol/lock';

/** By which locks may be asked for that one machine or service holds: of its owner, these parts. */
const namesOf = ({ app, host, ip, instance }: Owner): string[] =>
  [app, host, ip, instance].filter((name) => name !== null);

const MOST = 200;

/** The services, machines and instances that hold these locks, each once, by name. */
export function holderNames(locks: readonly Lock[]): string[] {
  const owners = locks.flatMap(({ hold, members }) => [
    ...(hold ? [hold.owner] : []),
    ...members.flatMap(({ owner }) => owner ?? []),
  ]);
  return [...new Set(owners.flatMap(namesOf))].toSorted().slice(0, MOST);
}
