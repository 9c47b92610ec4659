import { facts } from '@/server/cli/output';
import { DEFAULT_PREFIX } from '@/lib/lock/names';
import type { Evidence } from '@/lib/protocol/lock';
import type { DebugReport, Process, Waiter } from './debug-report';
import { durationText, momentText } from './duration-text';
import { describeOwner } from './shown-lock';

type Line = readonly [name: string, value: string];

const marked = (text: string, evidence: Evidence): string => `${text}  [${evidence}]`;

/** The report for a person: one fact a line, each with how it is known. */
export function debugText(report: DebugReport): string {
  return facts([
    ['key', `${report.key} in db ${report.db}${takenText(report)}`],
    ...formatLines(report),
    ['state', stateText(report)],
    ...holderLines(report),
    ...(report.fence === null ? [] : [fenceLine(report)]),
    ...waitingLines(report),
    ...elsewhereLines(report),
  ]);
}

const takenText = ({ takenAs, given }: DebugReport): string =>
  takenAs === 'name' ? ` (the name ${given} behind ${DEFAULT_PREFIX})` : ' (taken as a whole key)';

const formatLines = ({ lock, because }: DebugReport): Line[] =>
  lock
    ? [['format', `${lock.format}${lock.formatCertain ? '' : ', likely'}: ${because ?? 'by name'}`]]
    : [];

function stateText({ state, lock, redisType, brokenBecause }: DebugReport): string {
  switch (state) {
    case 'not-recognised':
      return `a ${redisType} that no lock format recognises`;
    case 'free':
      return 'free: nobody holds it now';
    case 'orphan-queue':
      return 'free, although somebody stands in its queue';
    case 'broken':
      return `broken: ${brokenBecause ?? 'its value is no lock'}`;
    case 'cooling-down':
      return 'cooling down: the work is done, the key is kept on purpose';
    default:
      return heldText(lock);
  }
}

function heldText(lock: DebugReport['lock']): string {
  const count = lock?.members.filter(({ stale }) => !stale).length ?? 0;
  if (lock?.kind === 'semaphore') return `held: ${count} ${count === 1 ? 'permit' : 'permits'}`;
  if (lock?.kind !== 'read-write') return 'held';
  if (lock.hold?.owner.id.endsWith(':write')) return 'held for writing';
  return count > 1 ? `held for reading by ${count}` : 'held for reading';
}

function holderLines(report: DebugReport): Line[] {
  const { holder, since, leaseLeftMs, depth, businessId, at, lock } = report;
  if (!holder || !since || !leaseLeftMs) return [];
  const lines: Line[] = [
    ['holder', marked(describeOwner({ id: holder.owner, ...holder }), 'observed')],
    ['owner', holder.owner],
    ['alive', aliveText(holder)],
    ['since', sinceText(since, at)],
    ['lease left', leaseText(leaseLeftMs)],
  ];
  // A semaphore's depth is the number of its permits, which the state tells.
  if (lock?.kind !== 'semaphore') lines.push(['depth', marked(`${depth ?? 1}`, 'observed')]);
  const others = (lock?.members ?? []).filter(({ id }) => id !== holder.owner);
  for (const { id, stale, owner } of others) {
    const who = owner ? `${describeOwner(owner)} ${id}` : id;
    lines.push(['also', marked(who + (stale ? ' (past its time)' : ''), 'observed')]);
  }
  if (businessId !== null) lines.push(['business id', marked(businessId, 'observed')]);
  return lines;
}

function aliveText({ alive, aliveForMs, startedAt }: Process): string {
  if (alive.value === null) return marked('its library does not tell', 'unknown');
  if (!alive.value) return marked('no: its process is gone or cut off from Redis', alive.evidence);
  const started = startedAt === null ? '' : `, started ${momentText(startedAt)}`;
  const sign = aliveForMs === null ? '' : `, next sign due within ${durationText(aliveForMs)}`;
  return marked(`yes${started}${sign}`, alive.evidence);
}

const sinceText = ({ value, evidence }: NonNullable<DebugReport['since']>, at: number): string =>
  evidence === 'unknown'
    ? marked('not told by the lock; the console or "lock watch" sees it happen', evidence)
    : marked(`${momentText(value)}, for ${durationText(at - value)}`, evidence);

const leaseText = ({ value, evidence }: NonNullable<DebugReport['leaseLeftMs']>): string =>
  marked(
    value === null ? 'no end: it stays until somebody deletes it' : durationText(value),
    evidence,
  );

const fenceLine = ({ fence, holder }: DebugReport): Line => [
  holder ? 'fence' : 'last fence',
  marked(`${fence}`, 'observed'),
];

const SOURCES = {
  'fair-queue': 'in its queue',
  pubsub: 'on its channel',
  beside: 'beside the lock',
  'blocked-clients': 'clients blocked on this server, on whatever key',
  'idle-time': 'somebody touches the key',
  poll: 'its library polls, which leaves no trace',
  'never-waits': 'its library never waits',
  'not-probed': 'this user may not count them, or only a running console does',
} as const;

function waitingLines({ lock, waiters, at }: DebugReport): Line[] {
  if (!lock) return [];
  const { count, unit, source, evidence } = lock.waiting;
  const many = count === null ? 'not known' : `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
  return [
    ['waiting', marked(`${many} (${SOURCES[source]})`, evidence)],
    ...waiters.map((waiter): Line => [
      `  ${waiter.position}.`,
      marked(waiterText(waiter, at), waiter.alive.evidence),
    ]),
  ];
}

const ALIVE = { true: 'alive', false: 'gone', null: 'alive or not: not known' };

function waiterText(waiter: Waiter, at: number): string {
  const who = describeOwner({ id: waiter.owner, ...waiter });
  const parts = [
    who === waiter.owner ? who : `${who} ${waiter.owner}`,
    ALIVE[`${waiter.alive.value}`],
  ];
  if (waiter.since !== null) parts.push(`for ${durationText(at - waiter.since)}`);
  if (waiter.businessId !== null) parts.push(waiter.businessId);
  return parts.join(', ');
}

function elsewhereLines({ otherDbs }: DebugReport): Line[] {
  if (otherDbs === null) return [['other dbs', marked('this user may not ask', 'unknown')]];
  if (otherDbs.length === 0) return [];
  const dbs = otherDbs.join(', ');
  return [
    [
      'other dbs',
      `db ${dbs} holds the same key: instances with different db numbers lock each for themselves; give all of them the same one`,
    ],
  ];
}
