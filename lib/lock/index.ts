export { createLockClient } from './client.js';
export type {
  AcquireOptions,
  Lock,
  Lockable,
  LockClient,
  LockClientOptions,
  LockEvent,
  RedisConnection,
} from './contract.js';
export {
  isLockError,
  LockAcquisitionTimeoutException,
  LockError,
  LockLostError,
  type LockErrorCode,
} from './errors.js';
export { aclRule, type AclRuleOptions } from './acl.js';
export { renderLockKey, type TemplateVariables } from './template.js';
