import { LockError } from '@/lib/lock/errors';
import { parseLockTemplate, type LockTemplate } from '@/lib/lock/template';
import type { LockKeyEvent } from './contract';

export interface EventNames {
  /** `template` may be left out where one alone is declared. Throws TEMPLATE_VARIABLE_MISSING, BAD_OPTIONS. */
  of: (event: LockKeyEvent, template?: string) => string;
}

/** Reads every declared template at once, so that a wrong one ends the start. Throws BAD_OPTIONS. */
export function createEventNames(options: {
  templates: readonly string[];
  file: string;
}): EventNames {
  const { templates, file } = options;
  const parsed = new Map<string, LockTemplate>();
  for (const template of templates) parsed.set(template, parseLockTemplate(template));

  const only = (): LockTemplate => {
    const [first] = parsed.values();
    if (first && parsed.size === 1) return first;
    const message =
      parsed.size === 0
        ? `No lock_key_template is declared in ${file} and none was given; declare one like "order_sync:\${event.order_no}".`
        : `${file} declares ${parsed.size} lock_key_templates; say by \`template\` which one names this event's lock: ${templates.map((each) => JSON.stringify(each)).join(' or ')}.`;
    throw new LockError('BAD_OPTIONS', message, { option: 'template', templates: [...templates] });
  };

  return {
    of: (event, template) => {
      const chosen =
        template === undefined ? only() : (parsed.get(template) ?? parseLockTemplate(template));
      return chosen.render({ event });
    },
  };
}
