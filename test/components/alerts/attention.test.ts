import { describe, expect, it } from 'vitest';
import { OFF, readSetting } from '@/components/alerts/attention/attention-setting';
import { isCalling, newlyCalling } from '@/components/alerts/attention/newly';
import { badgeText } from '@/components/alerts/attention/tab-icon';
import { timelineRows } from '@/components/alerts/incident/timeline-rows';
import { sampleIncident } from '@/components/gallery/alerts';
import { sampleAlerts } from '@/components/gallery/incidents';
import type { Alert } from '@/lib/protocol/alert';

const alerts = sampleAlerts(1e12);
const sample = (id: string): Alert => {
  const found = alerts.find((alert) => alert.id === id);
  if (!found) throw new Error(`the gallery has no alert ${id}`);
  return found;
};

describe('calling for somebody', () => {
  it('is for what fires for certain and stands for itself', () => {
    expect(alerts.filter(isCalling).map(({ id }) => id)).toEqual(['a1', 'a2', 'a3', 'a9']);
    expect(isCalling({ ...sample('a1'), severity: 'info' })).toBe(false);
  });

  it('is not for what was there when the page was opened', () => {
    expect(newlyCalling(null, alerts).fresh).toEqual([]);
  });

  it('is for each new one, once', () => {
    const { known } = newlyCalling(null, [sample('a1')]);
    const next = newlyCalling(known, [sample('a1'), sample('a2')]);
    expect(next.fresh.map(({ id }) => id)).toEqual(['a2']);
    expect(newlyCalling(next.known, [sample('a1'), sample('a2')]).fresh).toEqual([]);
  });

  it('is not repeated for one that was gone and came back', () => {
    const { known } = newlyCalling(new Set(), [sample('a2')]);
    const gone = newlyCalling(known, []);
    expect(newlyCalling(gone.known, [sample('a2')]).fresh).toEqual([]);
  });

  it('is for a pending one when it fires, and for a doubtful one when it is certain', () => {
    const { known } = newlyCalling(null, [sample('a7'), sample('a8')]);
    const fired: Alert = { ...sample('a7'), state: 'firing' };
    const certain: Alert = { ...sample('a8'), doubtful: null, partOf: null };
    const { fresh } = newlyCalling(known, [fired, certain]);
    expect(fresh.map(({ id }) => id)).toEqual(['a7', 'a8']);
  });
});

describe('what a browser keeps of it', () => {
  it('is off unless both are said in so many words', () => {
    expect(readSetting(null)).toEqual(OFF);
    expect(readSetting('not json')).toEqual(OFF);
    expect(readSetting('[true]')).toEqual(OFF);
    expect(readSetting('{"notify":"yes","sound":1}')).toEqual(OFF);
    expect(readSetting('{"notify":true}')).toEqual({ notify: true, sound: false });
  });

  it('says at most two digits in the tab', () => {
    expect(badgeText({ critical: 2, warning: 3 })).toBe('5');
    expect(badgeText({ critical: 99, warning: 1 })).toBe('99');
  });
});

describe('the timeline of an incident', () => {
  const { events } = sampleIncident(1e12);
  const ask = { sort: null, handedOverAt: null, most: 100 };

  it('shows all, the newest at the end', () => {
    const { rows, earlier } = timelineRows(events, ask);
    expect(rows).toHaveLength(events.length);
    expect(rows.at(-1)).toMatchObject({ event: { kind: 'acted' } });
    expect(earlier).toBe(0);
  });

  it('is narrowed to what was seen, done or told', () => {
    const kinds = (sort: 'seen' | 'done' | 'told') =>
      timelineRows(events, { ...ask, sort }).rows.flatMap((row) =>
        row.kind === 'event' ? [row.event.kind] : [],
      );
    expect(kinds('done')).toEqual(['acknowledged', 'acted']);
    expect(kinds('told')).toEqual(['notified', 'notify-failed']);
    expect(kinds('seen')).toHaveLength(events.length - 4);
  });

  it('shows the newest of many, and how many come before them', () => {
    const { rows, earlier } = timelineRows(events, { ...ask, most: 3 });
    expect(rows).toHaveLength(3);
    expect(earlier).toBe(events.length - 3);
  });

  it('has the hand-over at its place, and marks what came after it', () => {
    const handedOverAt = (events[6]?.at ?? 0) + 1;
    const { rows, after } = timelineRows(events, { ...ask, handedOverAt });
    expect(rows.findIndex(({ kind }) => kind === 'hand-over')).toBe(7);
    expect(rows.filter((row) => row.kind === 'event' && row.isAfter)).toHaveLength(2);
    expect(after).toBe(2);
  });

  it('has the hand-over at its end when nothing came after it', () => {
    const { rows, after } = timelineRows(events, { ...ask, handedOverAt: 2e12 });
    expect(rows.at(-1)?.kind).toBe('hand-over');
    expect(after).toBe(0);
  });
});
