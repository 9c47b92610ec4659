export { createLockProvider } from './create-lock-provider';
export { openLockProvider } from './open-lock-provider';
export type {
  EventLockOptions,
  LockKeyEvent,
  LockProvider,
  LockProviderOptions,
  Log,
} from './contract';
