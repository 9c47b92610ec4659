export { useAction, type Action } from './use-action';
export { useConnection } from './use-connection';
export { useLive } from './use-live';
export { useNow } from './use-now';
export { useSession } from './use-session';
export { useUrlParams, type UrlParams } from './use-url-params';
