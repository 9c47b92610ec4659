import { errors } from './en/errors';
import { formats } from './en/formats';
import { discover, libraries, pin } from './en/libraries';
import { live } from './en/live';
import { heatmap } from './en/heatmap';
import { blame } from './en/blame';
import { charts } from './en/charts';
import { overview } from './en/overview';
import { past } from './en/past';
import { deadlocks } from './en/deadlocks';
import { advice } from './en/advice';
import { alerts } from './en/alerts';
import { audit } from './en/audit';
import { targets } from './en/targets';
import { traces } from './en/traces';
import { waits } from './en/waits';
import { settings } from './en/settings';
import { labels } from './en/labels';
import { notifications } from './en/notifications';
import { lock } from './en/lock';
import { locks } from './en/locks';
import { release } from './en/release';
import { sentences as allSentences } from './en/sentences';
import { shell } from './en/shell';
import { signIn } from './en/sign-in';
import type { SentenceCatalogue } from './sentence';
import { time } from './en/time';
import { ui } from './en/ui';

const sentences: SentenceCatalogue = allSentences;

/** Every sentence of the console in English: one section per area, ICU message syntax. */
export const en = {
  errors,
  formats,
  libraries,
  discover,
  pin,
  live,
  heatmap,
  blame,
  charts,
  overview,
  past,
  advice,
  deadlocks,
  alerts,
  audit,
  targets,
  traces,
  waits,
  settings,
  labels,
  lock,
  locks,
  notifications,
  release,
  sentences,
  shell,
  signIn,
  time,
  ui,
};
