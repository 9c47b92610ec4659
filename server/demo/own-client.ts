import { createLockClient, type LockClient } from '@/lib/lock/index';
import type { ServiceContext } from './service';

/** A client of our own for a service; `app` is how the console names it. */
export const ownClient = (context: ServiceContext, app: string): LockClient =>
  createLockClient({ redis: context.connect(), app });
