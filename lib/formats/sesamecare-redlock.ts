import type { LockFormat } from './format';
import { recogniseRandomHex, redlock } from './redlock';

/** @sesamecare-oss/redlock: redlock 5 in each detail but the db, which its scripts select by themselves. */
export const sesamecareRedlock: LockFormat = {
  ...redlock,
  id: 'sesamecare-redlock',
  name: '@sesamecare-oss/redlock',
  recognise: (_key, value, context) => recogniseRandomHex(value, context),
  releaseNotes: ['release-deletes', 'abort-signal', 'wakes-nobody', 'every-node', 'own-db'],
};
