import { isCodedError } from '@/lib/protocol/errors';
import type { Store } from '@/server/store/store-contract';

/**
 * Runs `work` on better-auth's tables. Whatever it throws because the database cannot be used becomes
 * STORE_UNAVAILABLE with the store's sentence; better-auth itself says only that something failed.
 */
export async function onStore<T>(store: Pick<Store, 'probe'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCodedError(error)) await store.probe();
    throw error;
  }
}
