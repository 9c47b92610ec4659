import { describe, expect, it } from 'vitest';
import { isLockError } from '@/lib/lock/errors';
import { parseLockTemplate, renderLockKey } from '@/lib/lock/template';

const TEMPLATE = 'order_sync:${event.order_no}';

function refusal(act: () => unknown): { code: string; message: string; [field: string]: unknown } {
  try {
    act();
  } catch (error) {
    if (isLockError(error)) return { ...error.fields, code: error.code, message: error.message };
    throw error;
  }
  throw new Error('was not refused');
}

describe('a lock key template', () => {
  it('puts the event’s value where the variable stands', () => {
    expect(renderLockKey(TEMPLATE, { event: { order_no: 'SO-1' } })).toBe('order_sync:SO-1');
  });

  it('reaches nested fields and positions of a list', () => {
    const event = { order: { lines: [{ sku: 'A-7' }] } };
    expect(renderLockKey('${event.order.lines.0.sku}:hold', { event })).toBe('A-7:hold');
  });

  it('takes several variables, numbers, bigints, booleans and zero', () => {
    const variables = { a: 0, b: 12n, c: false, d: 1.5 };
    expect(renderLockKey('x:${a}:${b}:${ c }:${d}', variables)).toBe('x:0:12:false:1.5');
  });

  it('keeps braces that belong to the name', () => {
    expect(renderLockKey('{order:${id}}', { id: 4 })).toBe('{order:4}');
  });

  it('does not look for variables in what was put in', () => {
    expect(renderLockKey('a:${x}', { x: '${y}', y: 'z' })).toBe('a:${y}');
  });

  it.each([
    ['missing', {}],
    ['missing', { event: undefined }],
    ['missing', { event: null }],
    ['missing', { event: {} }],
    ['missing', { event: { order_no: null } }],
    ['missing', { event: 'SO-1' }],
    ['empty', { event: { order_no: '' } }],
    ['empty', { event: { order_no: ' \t\n' } }],
    ['placeholder', { event: { order_no: 'undefined' } }],
    ['placeholder', { event: { order_no: 'null' } }],
    ['placeholder', { event: { order_no: '[object Object]' } }],
    ['not-text', { event: { order_no: Number.NaN } }],
    ['not-text', { event: { order_no: Number.POSITIVE_INFINITY } }],
    ['not-text', { event: { order_no: {} } }],
    ['not-text', { event: { order_no: ['SO-1'] } }],
    ['not-text', { event: { order_no: () => 'SO-1' } }],
    ['not-text', { event: { order_no: Symbol('SO-1') } }],
    ['imprecise', { event: { order_no: 2 ** 60 } }],
  ])('refuses a value that is %s: %o', (reason, variables) => {
    const refused = refusal(() => renderLockKey(TEMPLATE, variables));
    expect(refused).toMatchObject({
      code: 'TEMPLATE_VARIABLE_MISSING',
      variable: 'event.order_no',
      template: TEMPLATE,
      reason,
    });
    expect(refused.message).toContain('event.order_no');
  });

  it('does not take what every object inherits for a field of the event', () => {
    const refused = refusal(() => renderLockKey('a:${event.constructor.name}', { event: {} }));
    expect(refused).toMatchObject({ reason: 'missing', variable: 'event.constructor.name' });
  });

  it('names the first variable that is unfit', () => {
    const refused = refusal(() => renderLockKey('${a}:${b}:${c}', { a: 1 }));
    expect(refused.variable).toBe('b');
  });

  it.each([
    ['order_sync:${event.order_no', 'never closes'],
    ['order_sync:${}', 'no path'],
    ['order_sync:${event..no}', 'no path'],
    ['order_sync:${event.no|upper}', 'no path'],
    ['order_sync:${event.no:-none}', 'no path'],
    ['order_sync:${event[0]}', 'no path'],
    ['order_sync:${a${b}}', 'no path'],
    ['order_sync:{event.order_no}', 'has no variable'],
    ['order_sync:$event.order_no', 'has no variable'],
    ['order_sync', 'has no variable'],
    ['', 'has no variable'],
  ])('refuses the template %s before it sees an event', (template, said) => {
    const refused = refusal(() => parseLockTemplate(template));
    expect(refused).toMatchObject({ code: 'BAD_OPTIONS', option: 'template', template });
    expect(refused.message).toContain(said);
  });

  it('tells which variables it needs', () => {
    expect(parseLockTemplate('${a.b}:x:${c}').variables).toEqual(['a.b', 'c']);
  });
});
