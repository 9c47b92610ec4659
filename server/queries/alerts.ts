import type { Alert, AlertLabels, AlertPage } from '@/lib/protocol/alert';
import type { AlertsParams } from '@/lib/protocol/queries';
import type { QueryContext } from './query-context';

const DEFAULT_LIMIT = 200;
const PAGE = 500;
/** Resolved alerts that are looked through for those that fit. */
const MOST_LOOKED_AT = 5_000;
const MOST_GROUPS = 100;

/**
 * Alerts, the open ones as the book has them and the resolved ones from history, newest first. Without `state`: both.
 * What never fired is told while it is pending only.
 */
export async function alerts(context: QueryContext, params: AlertsParams): Promise<AlertPage> {
  const { state, limit = DEFAULT_LIMIT } = params;
  const isWanted = fits(params);
  const all = context.alerts.open();
  const fitting = all.filter(isWanted);
  const page = { attention: attentionTo(all), open: fitting.length, groups: groupsOf(fitting) };
  if (state !== undefined && state !== 'resolved') {
    const inState = state === 'open' ? fitting : fitting.filter((one) => one.state === state);
    return { items: inState.slice(0, limit), ...page };
  }
  const open = state === 'resolved' ? [] : fitting.slice(0, limit);
  // An alert that came back is open again, while its stored row may still say resolved.
  const openAgain = new Set(all.map(({ id }) => id));
  const past = await resolved(context, params, {
    isWanted: (alert) => !openAgain.has(alert.id) && hasFired(alert) && isWanted(alert),
    limit: limit - open.length,
  });
  return { items: [...open, ...past], ...page };
}

const hasFired = ({ firesAt }: Alert): boolean => firesAt === null || firesAt === undefined;

async function resolved(
  { store, alerts: book }: QueryContext,
  { code }: AlertsParams,
  { isWanted, limit }: { isWanted: (alert: Alert) => boolean; limit: number },
): Promise<Alert[]> {
  const ended = book.ended().filter(isWanted);
  const found = new Map(ended.map((alert) => [alert.id, alert]));
  for (let skip = 0; found.size < limit && skip < MOST_LOOKED_AT; skip += PAGE) {
    const page = await store.alerts({
      state: 'resolved',
      limit: PAGE,
      skip,
      ...(code !== undefined && { code }),
    });
    for (const alert of page) if (isWanted(alert)) found.set(alert.id, alert);
    if (page.length < PAGE) break;
  }
  return [...found.values()].slice(0, limit);
}

const LABELS = ['class', 'namespace', 'owner', 'node'] as const;

/** Whether an alert is asked for, whatever its state. */
function fits(params: AlertsParams): (alert: Alert) => boolean {
  const { code, severity } = params;
  const q = params.q?.trim().toLowerCase() ?? '';
  const asked = LABELS.filter((name) => params[name] !== undefined);
  return (alert) =>
    (code === undefined || alert.code === code) &&
    (severity === undefined || alert.severity === severity) &&
    asked.every((name) => alert.labels?.[name] === params[name]) &&
    (q === '' || textsOf(alert).some((text) => text.toLowerCase().includes(q)));
}

const textsOf = ({ subject, summary, labels }: Alert): string[] => [
  subject.label,
  summary,
  ...subject.locks.map(({ key }) => key),
  ...LABELS.flatMap((name) => labels?.[name] ?? []),
];

function groupsOf(open: readonly Alert[]): NonNullable<AlertPage['groups']> {
  const by = (nameOf: (alert: Alert) => string | null) => {
    const counts = new Map<string | null, number>();
    for (const alert of open) {
      const name = nameOf(alert);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts]
      .map(([name, count]) => ({ name, count }))
      .toSorted((a, b) => b.count - a.count || ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
      .slice(0, MOST_GROUPS);
  };
  const byLabel = (label: keyof AlertLabels) => by(({ labels }) => labels?.[label] ?? null);
  return {
    code: by(({ code }) => code),
    class: byLabel('class'),
    namespace: byLabel('namespace'),
    owner: byLabel('owner'),
    node: byLabel('node'),
  };
}

/** What is pending does not ask for anybody yet. */
function attentionTo(open: readonly Alert[]): NonNullable<AlertPage['attention']> {
  const counts = { critical: 0, warning: 0, info: 0 };
  for (const { severity, state } of open) if (state === 'firing') counts[severity]++;
  return counts;
}
