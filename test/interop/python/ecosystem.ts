import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';
import type { Ecosystem } from '@/test/interop/ecosystem';

const FOLDER = join(ROOT, 'test', 'interop', 'python');

/** Libraries from PyPI. */
export const python: Ecosystem = {
  id: 'python',
  command: (port) => ({
    program: join(FOLDER, '.venv', 'bin', 'python'),
    args: [join(FOLDER, 'peer.py'), `${port}`],
  }),
  readyWithinMs: 30_000,
};
