export const attention = {
  button: 'Notify me here…',
  buttonOn: 'Notifies here…',
  title: 'Notify me in this browser',
  text: 'For whoever has the console open. To reach people who have not, set up Notifications.',
  notify: 'Show a notification when an alert fires',
  notifyHint:
    'For new critical alerts and warnings, while no tab of the console is in view: one for each incident, whichever tab tells of it. A press on it opens the incident.',
  willAsk: 'The browser will ask whether it may.',
  refused: {
    denied:
      'This browser was told not to. Allow notifications for this address in its settings, beside the address bar, then come back.',
    unsupported: 'This browser cannot show notifications.',
    insecure:
      'Browsers show notifications only for pages on https or localhost. This one is on plain http.',
  },
  test: 'Show one now',
  testTitle: 'Lockscope',
  testText: 'This is how an alert will look.',
  testFailed:
    'The browser did not show it. Some phones let only installed pages show notifications.',
  sound: 'Play a short tone when an alert fires',
  soundHint: 'Off unless you want it. Also while the page is in view; one tab plays it.',
  play: 'Play it',
  silent: 'The browser keeps this page silent. Press anywhere on the page, then try again.',
  always:
    'The tab always shows in its icon and title how many critical alerts and warnings nobody looks after.',
  notKept: 'This browser keeps no settings for this page: they hold until it is closed.',
};
