import { delimiter } from 'node:path';
import { JAVA_PEER_CLASSES } from '@/bin/bootstrap/interop/java';
import type { Ecosystem } from '@/test/interop/ecosystem';

/** It starts faster than it would run longest. */
const FOR_SHORT_LIVES = ['-Xmx320m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** Libraries from Maven. */
export const java: Ecosystem = {
  id: 'java',
  command: (port) => ({
    program: 'java',
    args: [
      ...FOR_SHORT_LIVES,
      '-cp',
      JAVA_PEER_CLASSES.join(delimiter),
      'lockscope.interop.Peer',
      `${port}`,
    ],
  }),
  readyWithinMs: 40_000,
};
