import { BOUNDS_S, type Durations } from './durations';
import type { ClassName } from './class-book';
import type { ClassFigures } from './class-figures';
import type { ToldClasses } from './class-totals';
import type { Family, HistogramSample, LabelSet, Sample } from './exposition';

interface Told {
  labels: LabelSet;
  figures: ClassFigures;
}

type Samples<T> = (told: Told, nowMs: number) => T[];

const one = (labels: LabelSet, value: number): Sample[] => [{ labels, value }];

const byLabel =
  <K extends string>(label: string, pick: (figures: ClassFigures) => ReadonlyMap<K, number>) =>
  ({ labels, figures }: Told): Sample[] =>
    [...pick(figures)].map(([key, value]) => ({ labels: { ...labels, [label]: key }, value }));

const byEvidence =
  (pick: (figures: ClassFigures) => ReadonlyMap<string, Durations>) =>
  ({ labels, figures }: Told): HistogramSample[] =>
    [...pick(figures)].map(([evidence, { counts, sumMs }]) => ({
      labels: { ...labels, evidence },
      bounds: BOUNDS_S,
      counts,
      sum: sumMs / 1000,
    }));

type ClassFamily = { name: string; help: string } & (
  | { type: 'counter' | 'gauge'; samples: Samples<Sample> }
  | { type: 'histogram'; samples: Samples<HistogramSample> }
);

const CLASS_FAMILIES: readonly ClassFamily[] = [
  {
    name: 'lockscope_class_acquisitions',
    type: 'counter',
    help: 'Holds of locks of the class that began.',
    samples: ({ labels, figures }) => one(labels, figures.acquisitions),
  },
  {
    name: 'lockscope_class_ends',
    type: 'counter',
    help: 'Holds of locks of the class that ended, by why they did.',
    samples: byLabel('reason', ({ ends }) => ends),
  },
  {
    name: 'lockscope_class_waits',
    type: 'counter',
    help: 'Waits of single owners that ended, granted or left without the lock; none where no single wait is seen.',
    samples: byLabel('outcome', ({ waits }) => waits),
  },
  {
    name: 'lockscope_class_failed_attempts',
    type: 'counter',
    help: 'Attempts that did not get the lock, as far as clients reported or traces saw them; none where neither did.',
    samples: ({ labels, figures: { failedAttempts } }) =>
      failedAttempts === null ? [] : one(labels, failedAttempts),
  },
  {
    name: 'lockscope_class_waiter_seconds',
    type: 'counter',
    help: 'Time spent waiting, summed over waiters; its rate is the average number of waiters.',
    samples: ({ labels, figures }, nowMs) =>
      figures.hasCounted ? one(labels, figures.waiting.tell(nowMs) / 1000) : [],
  },
  {
    name: 'lockscope_class_held_seconds',
    type: 'counter',
    help: 'Time held, summed over locks; its rate is the average number of locks held.',
    samples: ({ labels, figures }, nowMs) => one(labels, figures.held.tell(nowMs) / 1000),
  },
  {
    name: 'lockscope_class_handoffs',
    type: 'counter',
    help: 'Holds that began after one whose end is known.',
    samples: ({ labels, figures }) => one(labels, figures.handoffs),
  },
  {
    name: 'lockscope_class_handoff_seconds',
    type: 'counter',
    help: 'Time between the end of a hold and the beginning of the next.',
    samples: ({ labels, figures }) => one(labels, figures.handoffMs / 1000),
  },
  {
    name: 'lockscope_class_held_locks',
    type: 'gauge',
    help: 'Locks of the class that are held.',
    samples: ({ labels, figures }) => one(labels, figures.held.open),
  },
  {
    name: 'lockscope_class_waiters',
    type: 'gauge',
    help: 'Waiters for locks of the class; no sample where they cannot be counted.',
    samples: ({ labels, figures }, nowMs) =>
      figures.isObservable(nowMs) ? one(labels, figures.waiting.open) : [],
  },
  {
    name: 'lockscope_class_waiters_observable',
    type: 'gauge',
    help: 'Whether the waiters for locks of the class can be counted now.',
    samples: ({ labels, figures }, nowMs) => one(labels, figures.isObservable(nowMs) ? 1 : 0),
  },
  {
    name: 'lockscope_class_wait_duration_seconds',
    type: 'histogram',
    help: 'How long single owners waited, apart by how that is known; waits that touch a gap are left out.',
    samples: byEvidence(({ waitMs }) => waitMs),
  },
  {
    name: 'lockscope_class_hold_duration_seconds',
    type: 'histogram',
    help: 'How long locks were held, apart by how that is known; holds that touch a gap are left out.',
    samples: byEvidence(({ holdMs }) => holdMs),
  },
];

const labelsOf = (target: string, { namespace, class: lockClass }: ClassName): LabelSet => ({
  target,
  namespace,
  class: lockClass,
});

/** Families of `told`, each with the labels target, namespace and class; no lock or owner is ever named. */
export function classFamilies(target: string, { classes, merged, nowMs }: ToldClasses): Family[] {
  const told = classes.map(({ name, figures }) => ({ labels: labelsOf(target, name), figures }));
  return [
    ...CLASS_FAMILIES.map((family): Family => {
      if (family.type === 'histogram') {
        return { ...family, samples: told.flatMap((each) => family.samples(each, nowMs)) };
      }
      return { ...family, samples: told.flatMap((each) => family.samples(each, nowMs)) };
    }),
    {
      name: 'lockscope_classes_merged',
      type: 'gauge',
      help: 'Classes that are not exported by name and are summed in the class "other".',
      samples: [{ labels: { target }, value: merged }],
    },
  ];
}
