/** Words of the primitives, used everywhere. */
export const ui = {
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying failed: select the text instead',
  loading: 'Loading…',
  retry: 'Try again',
  unknown: 'unknown',
  none: 'none',
  all: 'All',
  showAll: 'Show all',
  showLess: 'Show less',
};
