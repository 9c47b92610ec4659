import { contention } from './contention';
import { crashedHolder } from './crashed-holder';
import { deadlock } from './deadlock';
import { flush } from './flush';
import { healthy } from './healthy';
import { hotLock } from './hot-lock';
import { longHold } from './long-hold';
import { noExpiry } from './no-expiry';
import { overrun } from './overrun';
import type { Scenario } from './scenario';
import { thunderingHerd } from './thundering-herd';

/** Every scenario by its name, in the order in which they are listed. */
export const SCENARIOS: readonly Scenario[] = [
  healthy,
  contention,
  hotLock,
  longHold,
  noExpiry,
  deadlock,
  thunderingHerd,
  crashedHolder,
  overrun,
  flush,
];
