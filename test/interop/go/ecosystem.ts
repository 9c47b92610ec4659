import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';
import type { Ecosystem } from '@/test/interop/ecosystem';

/** Libraries from the Go module proxy. */
export const go: Ecosystem = {
  id: 'go',
  command: (port) => ({
    program: join(ROOT, 'test', 'interop', 'go', '.build', 'peer'),
    args: [`${port}`],
  }),
  readyWithinMs: 10_000,
};
