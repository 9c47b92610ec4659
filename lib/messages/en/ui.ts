/** Words of the primitives, used everywhere. */
export const ui = {
  close: 'Close',
  cancel: 'Cancel',
  copied: 'Copied',
  copyFailed: 'Copying failed: select the text instead',
  loading: 'Loading…',
  showTheirs: 'Show theirs',
  mineOverIt: 'Save mine over it',
  allTheSame: 'Do it all the same',
  showAll: 'Show all',
  showLess: 'Show less',
};
