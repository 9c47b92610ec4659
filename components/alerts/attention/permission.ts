/** Whether this page may notify: `insecure` = only https and localhost may. */
export type MayNotify = NotificationPermission | 'unsupported' | 'insecure';

export function mayNotify(): MayNotify {
  if (!window.isSecureContext) return 'insecure';
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Tells when it may have changed, as in the browser's own settings. Returns what ends it. */
export function onPermission(listen: () => void): () => void {
  const end = new AbortController();
  const watch = async (): Promise<void> => {
    const status = await navigator.permissions?.query({ name: 'notifications' });
    status?.addEventListener('change', listen, { signal: end.signal });
  };
  // A browser that does not tell: it is looked at again whenever the page comes into view.
  watch().catch(() => undefined);
  document.addEventListener('visibilitychange', listen, { signal: end.signal });
  return () => end.abort();
}
