import { errors } from './errors';
import { formats } from './formats';
import { discover, libraries, pin } from './libraries';
import { live } from './live';
import { heatmap } from './heatmap';
import { blame } from './blame';
import { charts } from './charts';
import { overview } from './overview';
import { past } from './past';
import { deadlocks } from './deadlocks';
import { advice } from './advice';
import { alerts } from './alerts';
import { incident } from './alerts/incident';
import { rules } from './alerts/rules';
import { silences } from './alerts/silences';
import { audit } from './audit';
import { targets } from './targets';
import { traces } from './traces';
import { waits } from './waits';
import { settings } from './settings';
import { labels } from './labels';
import { notifications } from './notifications';
import { lock } from './lock';
import { locks } from './locks';
import { release } from './release';
import { sentences as allSentences } from './sentences';
import { shell } from './shell';
import { signIn } from './sign-in';
import { formatNamesOf } from '@/lib/messages/format-text';
import type { SentenceCatalogue } from '@/lib/messages/sentence';
import { time } from './time';
import { ui } from './ui';

const sentences: SentenceCatalogue = allSentences;

/** Every sentence of the console in English: one section per area, ICU message syntax. */
export const en = {
  errors,
  formats,
  formatNames: formatNamesOf(formats),
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
  incident,
  rules,
  silences,
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
