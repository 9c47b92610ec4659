import { describeLibrary } from '@/test/interop/suite';
import type { LibrarySpec } from '@/test/interop/library-spec';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node, { env: { LOCKSCOPE_DBS: '*' } });

const HEX = { kind: 'mutex', leaseMs: 20_000 } as const;
const POLLS = { pollMs: 300, sources: ['poll', 'idle-time'], touches: true, count: null } as const;
/** Its tries ask for EXISTS, which leaves no trace. */
const TRACELESS = { pollMs: 300, sources: ['poll'], count: null } as const;

describeLibrary(world, {
  ...HEX,
  library: 'redlock-4',
  title: 'redlock 4',
  format: { id: 'redlock', certain: false, first: true },
  extends: true,
  waits: POLLS,
  release: { oldHolder: 'error' },
});

const RENEWED_BY_USING: Pick<LibrarySpec, 'renews' | 'extends' | 'release'> = {
  renews: { options: {}, leaseMs: 1500, withinMs: 1500 },
  extends: true,
  release: { oldHolder: 'error', tells: true },
};

describeLibrary(world, {
  ...HEX,
  ...RENEWED_BY_USING,
  library: 'redlock-5',
  title: 'redlock 5',
  format: { id: 'redlock', certain: false, first: true },
  waits: TRACELESS,
});

describeLibrary(world, {
  ...HEX,
  ...RENEWED_BY_USING,
  library: 'sesamecare-redlock',
  title: '@sesamecare-oss/redlock',
  format: { id: 'sesamecare-redlock', certain: false },
  // Its connection is on db 2, and its locks are in db 0 all the same.
  options: { db: 2 },
  db: 0,
  waits: TRACELESS,
  notes: ['its connection was on db 2; its locks are in db 0 unless it is told otherwise'],
});

describeLibrary(world, {
  ...HEX,
  library: 'redlock-universal',
  title: 'redlock-universal',
  format: { id: 'redlock-universal', certain: false },
  renews: { options: {}, leaseMs: 3000, withinMs: 3000 },
  extends: true,
  waits: { ...POLLS, pollMs: 100 },
  release: { oldHolder: 'says-false', tells: true },
});
