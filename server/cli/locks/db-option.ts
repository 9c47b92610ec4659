import type { Settings } from '@/server/config';
import { wholeNumber } from '@/server/cli/program';

/** For a lock that is in another db than services are told: it was found there by its name. */
export const DB_OPTION = [
  '--db <n>',
  'look in this db only; default: those of the settings',
  wholeNumber(0, 16_383),
] as const;

export const inDb = (settings: Settings, db: number | undefined): Settings =>
  db === undefined ? settings : { ...settings, dbs: [db] };
