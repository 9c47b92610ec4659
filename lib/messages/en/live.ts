/** States that every live view shares. */
export const live = {
  loading: 'Loading…',
  olderFigures: 'These figures could not be brought up to date',
};
