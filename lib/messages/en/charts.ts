export const charts = {
  table: 'As a table',
  unknown: 'not known',
  time: 'Time',
  activity: {
    acquisitions: {
      column: 'Acquired in 10 s',
      count: '{value, number} acquired',
      summary:
        'Locks acquired per 10 seconds in the time shown: {latest, number} in the latest step, {average, number} on average, {highest, number} at most.',
    },
    lost: {
      column: 'Lost in 10 s',
      count: '{value, number} lost',
      summary:
        'Holds lost per 10 seconds in the time shown: {latest, number} in the latest step, {average, number} on average, {highest, number} at most.',
    },
  },
  duration: 'Duration',
  waits: 'Waits',
  holds: 'Holds',
  inferredWaits: 'Of them inferred',
  waitsUpTo: 'Waits up to',
  holdsUpTo: 'Holds up to',
  between: '{from} – {to}',
  waitsIn: '{count, plural, one {# wait} other {# waits}}, {share, number, ::percent .0}',
  inferredIn: '{count, number} of them inferred',
  waitsUpToIn: '{share, number, ::percent .0} of all waits took no longer',
  holdsIn: '{count, plural, one {# hold} other {# holds}}, {share, number, ::percent .0}',
  holdsUpToIn: '{share, number, ::percent .0} of all holds took no longer',
  p50: 'p50 of waits',
  p99: 'p99 of waits',
  distributionEdges: 'Each label below the bars is the upper edge of its span.',
  distributionNote:
    'Each label below the bars is the upper edge of its span. Dashed lines mark the spans of p50 and p99 of the waits.',
  distributionSummary: 'Distribution of waits and holds over their duration, logarithmic.',
  quantiles: { p50: 'p50', p90: 'p90', p95: 'p95', p99: 'p99', p999: 'p99.9' },
  quantileSummary:
    'Percentiles of {of} over time, {count, plural, one {# step} other {# steps}}, logarithmic.',
  counted: {
    waits: '{count, plural, =0 {no wait ended here} one {# wait} other {# waits}}',
    holds: '{count, plural, =0 {no hold ended here} one {# hold} other {# holds}}',
  },
  unknownStep: 'Nothing is known of this step. It is not zero.',
  range: {
    label: 'Range',
    names: { '5m': '5 min', '15m': '15 min', '1h': '1 h', '6h': '6 h', '24h': '24 h', '7d': '7 d' },
    exact: 'Exact times',
    from: 'From',
    to: 'To',
    apply: 'Apply',
    follow: 'Follow live',
  },
  subject: {
    namespace: 'Namespace',
    allNamespaces: 'All namespaces',
    noNamespace: 'no namespace',
    class: 'Class',
    allClasses: 'All classes',
    key: 'Lock key',
    keyHint: 'Lock key, exact',
    clear: 'Clear filters',
  },
  links: {
    heatmap: 'On the heatmap',
    waits: 'How long they waited',
    blame: 'Who made others wait',
  },
};
