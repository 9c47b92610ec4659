import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENT_LOOK } from '@/components/alerts/incident/event-kinds';
import { ALERT_CODES, ALERT_EVENT_KINDS } from '@/lib/protocol/closed-sets';
import { ROOT } from '@/test/support/source-tree';

const text = readFileSync(join(ROOT, 'docs', 'alerts.md'), 'utf8');
const codes = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);

describe('the document about alerts', () => {
  it('has a row for each kind, and no other', () => {
    expect(codes.toSorted()).toEqual([...ALERT_CODES].toSorted());
  });
});

describe('the timeline of an alert', () => {
  it('has a place for each kind of event', () => {
    expect(Object.keys(EVENT_LOOK).toSorted()).toEqual([...ALERT_EVENT_KINDS].toSorted());
  });
});
