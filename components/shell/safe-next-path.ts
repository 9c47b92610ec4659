/** A path of this console to go to after signing in; the overview for anything that leads elsewhere. */
export function safeNextPath(next: string | null): string {
  const base = 'http://console.invalid';
  if (!next?.startsWith('/') || !URL.canParse(next, base)) return '/';
  // Parsed as a browser would: `//host` and `/\host` name another origin.
  const url = new URL(next, base);
  return url.origin === base ? `${url.pathname}${url.search}${url.hash}` : '/';
}
