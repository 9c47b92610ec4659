import { LockError } from './errors.js';

/** What a template's variables are looked up in: plain data, as it was parsed from an event. */
export type TemplateVariables = Readonly<Record<string, unknown>>;

export interface LockTemplate {
  /** Dotted paths in the order they stand: `event.order_no`. */
  readonly variables: readonly string[];
  /** Returns the lock's name. Throws TEMPLATE_VARIABLE_MISSING (fields: template, variable, reason). */
  render: (variables: TemplateVariables) => string;
}

type Part = { text: string } | { variable: string };
/** Why a value can name nothing; `reason` in the error's fields. */
type Unfit = 'missing' | 'empty' | 'not-text' | 'placeholder' | 'imprecise';

const OPENING = '${';
const PATH = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/;
/** What a missing value has become when somebody made text of it before us. */
const PLACEHOLDERS: readonly string[] = ['undefined', 'null', 'NaN', '[object Object]'];

const SAID: Readonly<Record<Unfit, string>> = {
  missing: 'is missing',
  empty: 'is empty',
  'not-text': 'is neither text nor a number',
  placeholder: 'is the text of a value that was missing',
  imprecise: 'is an integer too large to be exact; send it as text',
};

function badTemplate(template: string, what: string): LockError {
  return new LockError('BAD_OPTIONS', `The lock key template ${JSON.stringify(template)} ${what}`, {
    option: 'template',
    template,
  });
}

function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const opening = template.indexOf(OPENING, at);
    if (opening < 0) break;
    const closing = template.indexOf('}', opening);
    if (closing < 0) {
      throw badTemplate(template, 'opens a variable with "${" and never closes it with "}".');
    }
    const variable = template.slice(opening + OPENING.length, closing).trim();
    if (!PATH.test(variable)) {
      const shown = template.slice(opening, closing + 1);
      throw badTemplate(
        template,
        `holds ${shown}, which is no path such as "\${event.order_no}": names of letters, digits, "_" and "-", joined by dots.`,
      );
    }
    parts.push({ text: template.slice(at, opening) }, { variable });
    at = closing + 1;
  }
  return [...parts, { text: template.slice(at) }];
}

/** Own fields only: `event.constructor` names nothing. */
function valueAt(variables: TemplateVariables, path: string): unknown {
  let value: unknown = variables;
  for (const field of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return;
    value = Object.getOwnPropertyDescriptor(value, field)?.value;
  }
  return value;
}

function textOf(value: unknown): { text: string } | { unfit: Unfit } {
  if (value === undefined || value === null) return { unfit: 'missing' };
  if (typeof value === 'string') {
    if (value.trim() === '') return { unfit: 'empty' };
    return PLACEHOLDERS.includes(value.trim()) ? { unfit: 'placeholder' } : { text: value };
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return { text: String(value) };
  if (typeof value !== 'number' || !Number.isFinite(value)) return { unfit: 'not-text' };
  const exact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return exact ? { text: String(value) } : { unfit: 'imprecise' };
}

/**
 * Reads a template once, for a configuration that is checked at the start and rendered for every event.
 * Throws BAD_OPTIONS for an unclosed or unknown `${…}` and for a template without any variable: a constant
 * name needs no template (`acquire('nightly_report')`), and a template that turns out constant, for
 * example by `{event.id}` without the dollar, would make all events compete for one lock.
 */
export function parseLockTemplate(template: string): LockTemplate {
  if (typeof template !== 'string') throw badTemplate(template, 'is no text.');
  const parts = partsOf(template);
  const variables = parts.flatMap((part) => ('variable' in part ? [part.variable] : []));
  if (variables.length === 0) {
    throw badTemplate(
      template,
      'has no variable such as "${event.order_no}", so that all events would compete for one lock; if that is meant, acquire the lock by its name, without a template.',
    );
  }
  const rendered = (variable: string, given: TemplateVariables): string => {
    const result = textOf(valueAt(given, variable));
    if ('text' in result) return result.text;
    throw new LockError(
      'TEMPLATE_VARIABLE_MISSING',
      `${variable} ${SAID[result.unfit]}, so that the lock key template ${JSON.stringify(template)} names nothing; give every event this field, or all of them would compete for one lock.`,
      { template, variable, reason: result.unfit },
    );
  };
  return {
    variables,
    render: (given) =>
      parts.map((part) => ('text' in part ? part.text : rendered(part.variable, given))).join(''),
  };
}

/**
 * The lock's name for one event: `renderLockKey('order_sync:${event.order_no}', { event })`. Text, finite
 * numbers, bigints and booleans are put in as they are (not trimmed, not escaped: `${a}:${b}` with a colon
 * inside a value may equal another pair). A value is refused with TEMPLATE_VARIABLE_MISSING when it is
 * missing, null, empty, only whitespace, an object, NaN, an integer beyond 2^53, or the text `undefined`,
 * `null`, `NaN` or `[object Object]`. Throws BAD_OPTIONS as {@link parseLockTemplate}.
 */
export const renderLockKey = (template: string, variables: TemplateVariables): string =>
  parseLockTemplate(template).render(variables);
