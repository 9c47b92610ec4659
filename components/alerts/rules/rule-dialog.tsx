'use client';

import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/alerts/use-may';
import { useAction } from '@/components/hooks';
import { AlertCodeLabel } from '@/components/labels';
import { FormError } from '@/components/forms/form-error';
import { ReasonArea } from '@/components/forms/reason-area';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { isReason } from '@/lib/protocol/reason';
import type { Rule } from '@/lib/protocol/rules';
import { ClassField } from './class-field';
import { DryRunPanel } from './dry-run-panel';
import { formOf, sameSetting, settingOf } from './rule-form';
import { RuleFields } from './rule-fields';

interface Props {
  rule: Rule;
  /** Null = for all classes. */
  lockClass: string | null;
  isNew: boolean;
  onClose: () => void;
}

/** One rule, or its exception for a class: what it would have done, then saved with a reason. */
export function RuleDialog({ rule, lockClass, isNew, onClose }: Props) {
  const t = useTranslations('rules');
  const ui = useTranslations('ui');
  const id = useId();
  const mayChange = useMay('admin');
  const [form, setForm] = useState(() => formOf(now(rule, lockClass).setting, rule.unit));
  const [version, setVersion] = useState(() => (isNew ? null : now(rule, lockClass).version));
  const [named, setNamed] = useState(lockClass ?? '');
  const [reason, setReason] = useState('');
  const save = useAction('rule.save');
  const reset = useAction('rule.reset');
  const { setting, errors: wrong } = settingOf(form, rule.unit);
  const about = isNew ? named.trim() : lockClass;
  const isSet = rule.classes.some((each) => each.class === lockClass) || lockClass === null;
  const isReady = mayChange === true && isReason(reason) && about !== '';
  const pending = save.pending || reset.pending;
  const error = save.error ?? reset.error;

  const run = async (act: () => Promise<unknown>): Promise<void> => {
    save.reset();
    reset.reset();
    try {
      await act();
      onClose();
    } catch {
      // The action keeps the error, and the dialog shows it.
    }
  };
  const input = { code: rule.code, class: about, version, reason: reason.trim() };
  const showTheirs = (): void => {
    const theirs = now(rule, about);
    setForm(formOf(theirs.setting, rule.unit));
    setVersion(theirs.version);
    save.reset();
    reset.reset();
  };
  const mayReset =
    !isNew && isSet && (lockClass !== null || !sameSetting(rule.setting, rule.standard));
  return (
    <Dialog
      open
      width="lg"
      onOpenChange={(open) => !open && onClose()}
      title={<AlertCodeLabel code={rule.code} />}
      description={
        isNew
          ? t('newException')
          : lockClass === null
            ? t('forAll')
            : t('forClass', { class: lockClass })
      }
      closeLabel={ui('close')}
      footer={
        <>
          {mayReset && (
            <Button
              size="md"
              className="mr-auto"
              disabled={!isReady}
              pending={reset.pending}
              onClick={() => void run(() => reset.run(input))}
            >
              {t('reset')}
            </Button>
          )}
          <Button size="md" look="ghost" onClick={onClose}>
            {ui('cancel')}
          </Button>
          <Button
            size="md"
            look="primary"
            type="submit"
            form={id}
            disabled={!isReady || setting === null}
            pending={save.pending}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && setting && !pending) void run(() => save.run({ ...input, setting }));
        }}
      >
        {isNew && <ClassField value={named} onChange={setNamed} />}
        <RuleFields rule={rule} form={form} errors={wrong} onChange={setForm} />
        <DryRunPanel code={rule.code} lockClass={about === '' ? null : about} setting={setting} />
        {mayChange === false ? (
          <Notice>{t('viewerCannot')}</Notice>
        ) : (
          <ReasonArea
            label={t('reason')}
            hint={t('reasonHint')}
            value={reason}
            onChange={setReason}
          />
        )}
        {error && (
          <FormError
            {...{ error, pending }}
            run={(act) => isReady && setting && void run(act)}
            onConflict={{
              showTheirs,
              hasTheirs: now(rule, about).version !== version,
              saveMine: (there) => {
                const over = { ...input, version: there };
                return save.error && setting ? save.run({ ...over, setting }) : reset.run(over);
              },
              isRemoval: save.error === null,
            }}
          />
        )}
      </form>
    </Dialog>
  );
}

/** What holds now for that class, or for all. */
function now(
  { classes, setting, version }: Rule,
  lockClass: string | null,
): Pick<Rule, 'setting' | 'version'> {
  if (lockClass === null) return { setting, version };
  return classes.find((each) => each.class === lockClass) ?? { setting, version: null };
}
