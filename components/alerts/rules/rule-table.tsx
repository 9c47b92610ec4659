'use client';

import { Pencil, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { AlertCodeLabel, KeyText, SeverityBadge, TimeAgo } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { DataTable } from '@/components/ui/data-table';
import { IconButton } from '@/components/ui/icon-button';
import { PageLink } from '@/components/ui/page-link';
import type { Rule, RuleSetting } from '@/lib/protocol/rules';
import { writeDuration } from './duration-input';
import { sameSetting, sameThreshold } from './rule-form';
import { useThresholdText } from './threshold-text';
import { UsualList, UsualText } from './usual-text';

interface Props {
  rules: readonly Rule[];
  /** With a class: the exception for it. */
  onEdit: (rule: Rule, lockClass: string | null) => void;
  onAdd: (rule: Rule) => void;
}

/** Whether somebody, or the environment, changed the rule. */
export const isChanged = (rule: Rule): boolean =>
  rule.classes.length > 0 || !sameSetting(rule.setting, rule.standard);

interface Line {
  rule: Rule;
  setting: RuleSetting;
  /** The line is of an exception for this class. */
  lockClass: string | null;
}

const linesOf = (rules: readonly Rule[]): Line[] =>
  rules.flatMap((rule) => [
    { rule, setting: rule.setting, lockClass: null },
    ...rule.classes.map((exception) => ({
      rule,
      setting: exception.setting,
      lockClass: exception.class,
    })),
  ]);

/** A line for each kind, and below it one for each exception. What differs from the standard stands out. */
export function RuleTable({ rules, onEdit, onAdd }: Props) {
  const t = useTranslations('rules');
  const threshold = useThresholdText();
  const differs = (line: Line, of: (setting: RuleSetting) => unknown): boolean =>
    of(line.setting) !== of(line.rule.standard);
  return (
    <DataTable
      caption={t('table')}
      rows={linesOf(rules)}
      rowKey={({ rule, lockClass }) => `${rule.code} ${lockClass ?? ''}`}
      columns={[
        {
          id: 'kind',
          header: t('kind'),
          cell: (line) => <Kind line={line} />,
          className: 'max-w-80 max-md:whitespace-normal',
        },
        {
          id: 'enabled',
          header: t('state'),
          cell: (line) => (
            <Differing is={differs(line, ({ enabled }) => enabled)} standard={t('on')}>
              <Badge tone={line.setting.enabled ? 'ok' : 'neutral'}>
                {t(line.setting.enabled ? 'on' : 'off')}
              </Badge>
            </Differing>
          ),
        },
        {
          id: 'threshold',
          header: t('threshold'),
          cell: (line) => (
            <>
              <Differing
                is={!sameThreshold(line.setting.threshold, line.rule.standard.threshold)}
                standard={threshold(line.rule.standard.threshold, line.rule.unit)}
              >
                {threshold(line.setting.threshold, line.rule.unit)}
              </Differing>
              <Usual line={line} />
            </>
          ),
        },
        {
          id: 'for',
          header: t('for'),
          wideOnly: true,
          cell: (line) => (
            <Differing
              is={differs(line, ({ forMs }) => forMs)}
              standard={writeDuration(line.rule.standard.forMs)}
            >
              {line.setting.forMs === 0 ? t('atOnce') : writeDuration(line.setting.forMs)}
            </Differing>
          ),
        },
        {
          id: 'keep',
          header: t('keep'),
          wideOnly: true,
          cell: (line) => (
            <Differing
              is={differs(line, ({ keepFiringMs }) => keepFiringMs)}
              standard={writeDuration(line.rule.standard.keepFiringMs)}
            >
              {line.setting.keepFiringMs === 0 ? '–' : writeDuration(line.setting.keepFiringMs)}
            </Differing>
          ),
        },
        {
          id: 'severity',
          header: t('severity'),
          wideOnly: true,
          cell: ({ setting }) =>
            setting.severity === null ? (
              <span className="text-ink-3">{t('asFound')}</span>
            ) : (
              <SeverityBadge severity={setting.severity} />
            ),
        },
        {
          id: 'open',
          header: t('open'),
          align: 'end',
          wideOnly: true,
          cell: (line) => <Open line={line} />,
        },
        {
          id: 'changed',
          header: t('changed'),
          wideOnly: true,
          cell: (line) => <Changed line={line} />,
        },
        {
          id: 'acts',
          header: <span className="sr-only">{t('acts')}</span>,
          align: 'end',
          cell: ({ rule, lockClass }) => (
            <span className="-my-1 inline-flex">
              {lockClass === null && rule.unit !== null && (
                <IconButton
                  label={t('addFor', { code: rule.code })}
                  icon={<Plus size={14} aria-hidden />}
                  onClick={() => onAdd(rule)}
                />
              )}
              <IconButton
                label={
                  lockClass === null
                    ? t('edit', { code: rule.code })
                    : t('editFor', { code: rule.code, class: lockClass })
                }
                icon={<Pencil size={14} aria-hidden />}
                onClick={() => onEdit(rule, lockClass)}
              />
            </span>
          ),
        },
      ]}
    />
  );
}

/** Cells of a table do not wrap by themselves. */
const WRAPPED = 'w-52 whitespace-normal md:w-96';

/** What an adaptive threshold comes to: for the class of an exception, or for the classes most held. */
function Usual({ line: { rule, lockClass } }: { line: Line }) {
  if (lockClass === null) {
    return rule.usual.length === 0 ? null : (
      <div className={WRAPPED}>
        <UsualList limits={rule.usual} />
      </div>
    );
  }
  const { usual } = rule.classes.find((exception) => exception.class === lockClass) ?? {};
  if (!usual) return null;
  return (
    <p className={`${WRAPPED} text-xs text-ink-2`}>
      <UsualText usual={usual} />
    </p>
  );
}

function Kind({ line: { rule, lockClass } }: { line: Line }) {
  const t = useTranslations('rules');
  if (lockClass === null) {
    return (
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">
          <AlertCodeLabel code={rule.code} />
        </span>
        <span className="font-mono text-xs text-ink-3 max-md:hidden">{rule.code}</span>
      </span>
    );
  }
  return (
    <span className="flex min-w-0 items-baseline gap-2 pl-4 text-ink-2">
      <span className="text-xs text-ink-3">{t('exception')}</span>
      <KeyText text={lockClass} />
    </span>
  );
}

/** A value that is not the standard: bold, and the standard beside it for screen readers and on hover. */
function Differing(props: { is: boolean; standard: string; children: ReactNode }) {
  const t = useTranslations('rules');
  if (!props.is) return props.children;
  const note = t('standardIs', { value: props.standard });
  return (
    <span title={note} className="font-semibold">
      {props.children}
      <span className="sr-only"> ({note})</span>
      <span aria-hidden className="text-accent-ink">
        {' '}
        •
      </span>
    </span>
  );
}

function Open({ line: { rule, lockClass } }: { line: Line }) {
  if (lockClass !== null) return null;
  if (rule.open === 0) return <span className="text-ink-3">0</span>;
  return (
    <PageLink
      href={`/alerts?code=${rule.code}`}
      className="font-medium text-accent-ink tabular-nums hover:underline"
    >
      {rule.open}
    </PageLink>
  );
}

function Changed({ line: { rule, lockClass } }: { line: Line }) {
  const t = useTranslations('rules');
  if (lockClass !== null) return null;
  if (rule.changedAt === null) {
    return (
      <span className="text-xs text-ink-3">
        {t(isChanged(rule) ? 'byEnvironment' : 'standard')}
      </span>
    );
  }
  return (
    <span className="text-xs text-ink-2">
      <TimeAgo at={rule.changedAt} /> <bdi>{rule.changedBy}</bdi>
    </span>
  );
}
