export { useAction, type Action } from './use-action';
export { useConnection } from './use-connection';
export { useLive } from './use-live';
export { readMoment, useMoment, type MomentInUrl } from './use-moment';
export { useNow } from './use-now';
export { useSession } from './use-session';
export { useTargetId } from './use-target-id';
export { useUrlParams, type UrlParams } from './use-url-params';
export { useWidth } from './use-width';
