import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';
import type { Ecosystem } from '@/test/interop/ecosystem';

/** Libraries from npm. */
export const node: Ecosystem = {
  id: 'node',
  command: (port) => ({
    program: process.execPath,
    args: [join(ROOT, 'test', 'interop', 'node', 'peer.mjs'), `${port}`],
  }),
  readyWithinMs: 20_000,
};
