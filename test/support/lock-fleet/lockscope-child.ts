import { createLockClient } from '@/lib/lock/index';
import { runChild } from '@/test/support/lock-fleet/child';

runChild((redis, { client }) => createLockClient({ redis, allowInsecure: true, ...client }));
