/** Words of the primitives, used everywhere. */
export const ui = {
  close: 'Close',
  cancel: 'Cancel',
  copied: 'Copied',
  copyFailed: 'Copying failed: select the text instead',
  loading: 'Loading…',
  showAll: 'Show all',
  showLess: 'Show less',
};
