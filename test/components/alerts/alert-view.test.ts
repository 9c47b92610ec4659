import { describe, expect, it } from 'vitest';
import { isDue, overIn } from '@/components/alerts/act-scope';
import { groupAlerts, groupId, linesOf } from '@/components/alerts/list/alert-groups';
import { alertQuery, isFiltered, readAlertView } from '@/components/alerts/list/alert-view';
import { steadyOver } from '@/components/alerts/list/steady';
import { OPEN_LIMIT } from '@/components/hooks/use-open-alerts';
import { sampleAlerts } from '@/components/gallery/incidents';
import { worstFirst } from '@/components/overview/alert-order';
import type { Alert } from '@/lib/protocol/alert';

const NOW = 1e12;
const alerts = sampleAlerts(NOW);

const from = (text: string) => {
  const params = new URLSearchParams(text);
  return readAlertView((name) => params.get(name));
};

const sample = (id: string): Alert => {
  const found = alerts.find((alert) => alert.id === id);
  if (!found) throw new Error(`the gallery has no alert ${id}`);
  return found;
};

describe('the view of alerts', () => {
  it('shows open ones unless the address says otherwise, and ignores what makes no sense', () => {
    expect(from('')).toMatchObject({ show: 'open', severity: null, code: null, group: 'none' });
    expect(from('state=everything&severity=loud&code=x&group=moon&class=')).toEqual(from(''));
    expect(alertQuery(from(''))).toMatchObject({ state: 'open' });
    expect(alertQuery(from('state=all'))).not.toHaveProperty('state');
  });

  it('asks the server for every condition of the address, and for nothing about the grouping', () => {
    const asked = alertQuery(
      from('state=firing&code=deadlock&severity=critical&class=a:*&owner=w&node=n&q=x&group=code'),
    );
    expect(asked).toMatchObject({
      state: 'firing',
      code: 'deadlock',
      severity: 'critical',
      class: 'a:*',
      owner: 'w',
      node: 'n',
      q: 'x',
    });
    expect(asked).not.toHaveProperty('group');
  });

  it('tells conditions from the state that is shown', () => {
    expect(isFiltered(from('state=silenced&group=class'))).toBe(false);
    expect(isFiltered(from('node=n'))).toBe(true);
    expect(isFiltered(from('q=x'))).toBe(true);
  });
});

describe('groups of alerts', () => {
  it('are one list in the order of urgency where nothing groups them', () => {
    const [group, ...others] = groupAlerts(alerts, 'none');
    expect(others).toEqual([]);
    expect(group?.alerts.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 5 }, () => 'firing'),
      'pending',
      'acknowledged',
      'silenced',
      'resolved',
    ]);
    expect(group?.alerts[0]?.severity).toBe('critical');
  });

  it('have a deadlock before what is part of it and as severe, although that is newer', () => {
    const deadlock: Alert = { ...sample('a3'), id: 'd', code: 'deadlock', severity: 'critical' };
    const part: Alert = { ...deadlock, id: 'p', code: 'long-hold', partOf: 'd' };
    const both = [{ ...part, since: deadlock.since + 1 }, deadlock];
    expect(groupAlerts(both, 'none')[0]?.alerts.map(({ id }) => id)).toEqual(['d', 'p']);
    expect(worstFirst(both).map(({ id }) => id)).toEqual(['d', 'p']);
  });

  it('come with the worst first and those without a label last', () => {
    const byHolder = groupAlerts(alerts, 'holder');
    expect(byHolder.map(({ key }) => key)).toEqual(['worker-7:3', null]);
    const byCode = groupAlerts(alerts, 'code');
    expect(byCode[0]?.unattended.critical).toBe(1);
    expect(byCode.find(({ key }) => key === 'long-hold')?.alerts).toHaveLength(2);
  });

  it('count what fires, and neither what is about to nor what somebody looks after', () => {
    const [group] = groupAlerts([sample('a7'), sample('a4'), sample('a3')], 'none');
    expect(group?.unattended).toEqual({ critical: 0, warning: 1, info: 0 });
  });

  it('show their head alone when they are closed', () => {
    const groups = groupAlerts(alerts, 'code');
    const open = linesOf(groups, { grouping: 'code', closed: new Set() });
    expect(open).toHaveLength(groups.length + alerts.length);
    const closed = new Set([groupId('long-hold')]);
    expect(linesOf(groups, { grouping: 'code', closed })).toHaveLength(open.length - 2);
  });
});

describe('a list that somebody works in', () => {
  it('keeps rows and order while each alert changes in its place', () => {
    const groups = groupAlerts([sample('a1'), sample('a3'), sample('a4')], 'none');
    const acknowledged: Alert = { ...sample('a1'), state: 'acknowledged' };
    const steady = steadyOver(groups, [sample('a2'), sample('a4'), acknowledged]);
    expect(steady.groups[0]?.alerts.map(({ id }) => id)).toEqual(['a1', 'a3', 'a4']);
    expect(steady.groups[0]?.alerts[0]?.state).toBe('acknowledged');
    expect([...steady.left]).toEqual(['a3']);
    expect(steady.arrived).toBe(1);
  });

  it('does not count as unattended what has left it', () => {
    const groups = groupAlerts([sample('a3')], 'none');
    expect(steadyOver(groups, []).groups[0]?.unattended.warning).toBe(0);
  });
});

describe('the open alerts of the overview', () => {
  it('come worst first, and those that do not fire yet last', () => {
    const shown = worstFirst(alerts);
    expect(shown.at(-1)?.state).toBe('pending');
    const severities = shown.slice(0, -1).map(({ severity }) => severity);
    expect(severities.indexOf('warning')).toBe(severities.lastIndexOf('critical') + 1);
  });
});

describe('alerts under a dialog', () => {
  const open = sample('a1');

  it('are over when they resolved or are known as open no more', () => {
    expect(overIn([open], alerts, alerts)).toEqual(new Set());
    expect(overIn([open], [], [])).toEqual(new Set(['a1']));
    expect(overIn([open], [{ ...open, state: 'resolved' }], [])).toEqual(new Set(['a1']));
  });

  it('are not over for having left a narrower list, nor while not all are told', () => {
    const others = Array.from({ length: OPEN_LIMIT }, (_, n) => ({ ...open, id: `other-${n}` }));
    expect(overIn([open], [], [open])).toEqual(new Set());
    expect(overIn([open], others, others)).toEqual(new Set());
  });

  it('are acted on only where that changes something', () => {
    expect(isDue(sample('a7'), 'acknowledge')).toBe(false);
    expect(isDue(sample('a4'), 'acknowledge')).toBe(false);
    expect(isDue(sample('a5'), 'acknowledge')).toBe(true);
    expect(isDue(sample('a5'), 'silence')).toBe(false);
    expect(isDue(sample('a6'), 'silence')).toBe(false);
  });
});
