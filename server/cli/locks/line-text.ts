import type { WatchLine } from './change-lines';
import { durationText } from './duration-text';
import { describeOwner } from './shown-lock';

const EVENT_WIDTH = 12;

/** One line of `lock watch` for a person: time of day in UTC, what happened, to which lock, by whom. */
export function lineText(line: WatchLine): string {
  const clock = new Date(line.at).toISOString().slice(11, 23);
  const lock = line.key === undefined ? [] : [line.db ? `${line.key} (db ${line.db})` : line.key];
  const rest = restOf(line).filter((part) => part !== '');
  return [`${clock} ${line.event.padEnd(EVENT_WIDTH)}`, ...lock, ...rest].join('  ').trimEnd();
}

function restOf(line: WatchLine): string[] {
  switch (line.event) {
    case 'waiting':
      return [countText(line)];
    case 'waited':
    case 'gave-up':
      return [whoText(line), `after ${durationText(line.waitedMs ?? 0)}`];
    case 'gap':
      return [
        `events of ${durationText((line.to ?? 0) - (line.from ?? 0))} are missing: ${line.reason}`,
      ];
    case 'orphan-queue':
      return ['nobody holds it, and somebody stands in its queue'];
    case 'connected':
    case 'disconnected':
      return [];
    default:
      return [whoText(line), factsText(line), line.reason ?? '', doubtText(line)];
  }
}

function countText({ waiting, waitingBefore }: WatchLine): string {
  const count = (many: number | null | undefined): string => `${many ?? 'not known'}`;
  return `${count(waitingBefore)} → ${count(waiting)}`;
}

const whoText = ({ owner, host = null, ip = null, pid = null, app = null }: WatchLine): string =>
  owner ? describeOwner({ id: owner, host, ip, pid, app }) : 'holder not seen';

function factsText({ event, heldMs, leaseMs, fence, depth, businessId }: WatchLine): string {
  const facts: string[] = [];
  if (heldMs !== undefined) facts.push(`held ${durationText(heldMs)}`);
  else if (leaseMs !== null && leaseMs !== undefined) facts.push(`lease ${durationText(leaseMs)}`);
  if (fence) facts.push(`fence ${fence}`);
  if (event === 'depth' || (depth ?? 1) > 1) facts.push(`depth ${depth}`);
  if (businessId) facts.push(businessId);
  return facts.join(', ');
}

const doubtText = ({ evidence, event }: WatchLine): string =>
  evidence === undefined || evidence === 'observed' || event === 'held' ? '' : `[${evidence}]`;
