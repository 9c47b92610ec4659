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
  fitting: {
    asPattern: 'as a pattern',
    asPatternOf: '{field} as a pattern',
    glob: '* stands for anything, ? for one character, [ab] for one of these, \\ before one of them for itself.',
    names:
      '{count, plural, =0 {Fits nothing that is there now.} other {Fits # that {count, plural, one {is} other {are}} there now: {names}{more, plural, =0 {} other { and # more}}.}}',
    onlyAsPattern:
      'Nothing is called so now. As a pattern it fits {count, number}: {names}{more, plural, =0 {} other { and # more}}.',
    noName: 'Nothing is called so now.',
    alerts:
      '{count, plural, =0 {No open alert fits; those to come will.} one {# open alert fits.} other {# open alerts fit.}}',
    alertsAtLeast: 'At least {count, number} open alerts fit.',
    more: 'and {count, number} more',
    pattern: '{field} like',
  },
  showAll: 'Show all',
  showLess: 'Show less',
};
