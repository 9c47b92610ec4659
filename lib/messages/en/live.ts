/** States that every live view shares. */
export const live = {
  loading: 'Loading…',
  olderFigures: 'These figures could not be brought up to date',
  notKnown: 'Not known',
  notKnownText:
    'There is no connection to Redis. Nothing was there when it was last seen; what is there now cannot be told.',
};
