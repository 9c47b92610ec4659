/** Units are short because they stand in table columns. */
export const time = {
  ms: '{n} ms',
  s: '{n} s',
  m: '{n} m',
  h: '{n} h',
  d: '{n} d',
  now: 'now',
  ago: '{duration} ago',
  in: 'in {duration}',
  over: 'over by {duration}',
  /** For spans of centuries. */
  ages: 'over 100 years',
  /** For a moment that no calendar reaches. */
  never: 'never',
  neverInPractice: 'in practice never',
  unknown: '?',
};
