export const charts = {
  table: 'As a table',
  unknown: 'not known',
  count: '{value, number} acquired',
  time: 'Time',
  acquisitions: 'Acquired in 10 s',
  activitySummary:
    'Locks acquired per 10 seconds in the time shown: {latest, number} in the latest step, {average, number} on average, {highest, number} at most.',
  duration: 'Duration',
  waits: 'Waits',
  holds: 'Holds',
  between: '{from} – {to}',
  waitsIn: '{count, plural, one {# wait} other {# waits}}, {share, number, ::percent .0}',
  holdsIn: '{count, plural, one {# hold} other {# holds}}, {share, number, ::percent .0}',
  p50: 'p50 of waits',
  p99: 'p99 of waits',
  distributionNote:
    'Each label below the bars is the upper edge of its span. Dashed lines mark the spans of p50 and p99 of the waits.',
  distributionSummary: 'Distribution of waits and holds over their duration, logarithmic.',
};
