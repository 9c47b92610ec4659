import { errors } from './en/errors';
import { formats } from './en/formats';
import { labels } from './en/labels';
import { shell } from './en/shell';
import { signIn } from './en/sign-in';
import { time } from './en/time';
import { ui } from './en/ui';

/** Every sentence of the console in English: one section per area, ICU message syntax. */
export const en = {
  errors,
  formats,
  labels,
  shell,
  signIn,
  time,
  ui,
};
