import type { Template } from '@/lib/messages/sentence-template';
import { adviceSentences } from './advice';
import { consoleAlerts } from './console';
import { holds } from './holds';
import { moments } from './moments';
import { notify } from './notify';
import { orders } from './orders';
import { recognition } from './recognition';
import { redlock } from './redlock';
import { refusals } from './refusals';
import { timeline } from './timeline';
import { traces } from './traces';
import { waits } from './waits';
import { warnings } from './warnings';

/**
 * What the server says: the text of alerts, warnings, refusals and errors. A blank is `{name}`; a name that ends in `Ms` is said as a
 * duration, one that ends in `At` as a time of day,
 * one that ends in `Words` as a list of what stands here under `word:`, and `{owner}` may be one that nobody knows.
 */
export const sentences = {
  /** What is said as it is: commands to paste, the words of Redis. */
  verbatim: '{text}',
  /** Stands between two sentences. */
  between: ' ',
  /** Stands between the words of a list. */
  'list:between': ', ',
  'time:end': 'the end of time',
  'unit:ms': '{n} ms',
  'unit:s': '{n} s',
  'unit:m': '{n} m',
  'unit:min': '{n} min',
  'unit:h': '{n} h',
  'unit:d': '{n} d',
  ...holds,
  ...waits,
  ...orders,
  ...moments,
  ...consoleAlerts,
  ...warnings,
  ...redlock,
  ...recognition,
  ...refusals,
  ...adviceSentences,
  ...traces,
  ...timeline,
  ...notify,
} as const satisfies Record<string, Template>;
