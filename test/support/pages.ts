/** The address of every page that needs nothing to be there. */
export const PAGES = {
  overview: '/',
  locks: '/locks',
  heatmap: '/heatmap',
  waits: '/waits',
  blame: '/blame',
  advice: '/advice',
  traces: '/traces',
  deadlocks: '/deadlocks',
  alerts: '/alerts',
  audit: '/audit',
  libraries: '/libraries',
  notifications: '/notifications',
  targets: '/targets',
  settings: '/settings',
};
