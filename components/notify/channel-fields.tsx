'use client';

import { useTranslations } from 'use-intl';
import { Field, Input, Select } from '@/components/ui/field';
import type { ChannelDraft } from './channel-draft';

const TLS_MODES = ['none', 'starttls', 'tls'] as const;
type TextName = Exclude<keyof ChannelDraft, 'kind' | 'tls'>;

interface Props {
  draft: ChannelDraft;
  /** There is a secret already, which stays unless another is typed. */
  hasSecret: boolean;
  onChange: (changes: Partial<ChannelDraft>) => void;
}

interface TextProps extends Props {
  name: TextName;
  label: string;
  hint?: string | undefined;
  type?: 'text' | 'url' | 'password' | 'number';
  required?: boolean;
  className?: string;
}

export function DraftText(props: TextProps) {
  const { draft, name, label, hint, type = 'text', required = false, className, onChange } = props;
  return (
    <Field label={label} hint={hint} className={className ?? ''}>
      {(ids) => (
        <Input
          {...ids}
          type={type}
          required={required}
          // A password that a browser fills in would be saved in place of the one that is kept.
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          spellCheck={false}
          maxLength={2000}
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
}

/** The fields of the kind that is chosen. */
export function ChannelFields(props: Props) {
  const t = useTranslations('notifications.form');
  const { hasSecret } = props;
  const kept = hasSecret ? t('secretKept') : undefined;
  switch (props.draft.kind) {
    case 'webhook':
      return (
        <>
          <DraftText
            {...props}
            name="url"
            type="url"
            label={t('url')}
            hint={t('urlHint')}
            required
          />
          <DraftText
            {...props}
            {...{ name: 'secret', type: 'password', label: t('signingSecret') }}
            hint={kept ?? t('signingSecretHint')}
          />
        </>
      );
    case 'slack':
      return (
        <DraftText
          {...props}
          {...{ name: 'secret', type: 'password', label: t('slackUrl') }}
          hint={kept ?? t('slackUrlHint')}
          required={!hasSecret}
        />
      );
    case 'alertmanager':
      return (
        <>
          <DraftText
            {...props}
            {...{ name: 'url', type: 'url', label: t('alertmanagerUrl') }}
            hint={t('alertmanagerUrlHint')}
            required
          />
          <Login {...props} />
        </>
      );
    case 'pagerduty':
      return (
        <>
          <DraftText
            {...props}
            {...{ name: 'secret', type: 'password', label: t('routingKey') }}
            hint={kept ?? t('routingKeyHint')}
            required={!hasSecret}
          />
          <DraftText
            {...props}
            {...{ name: 'url', type: 'url', label: t('pagerdutyUrl') }}
            hint={t('pagerdutyUrlHint')}
          />
        </>
      );
    case 'email':
      return <MailFields {...props} />;
  }
}

function Login(props: Props) {
  const t = useTranslations('notifications.form');
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <DraftText {...props} name="user" label={t('user')} hint={t('userHint')} />
      <DraftText
        {...props}
        {...{ name: 'secret', type: 'password', label: t('password') }}
        hint={props.hasSecret ? t('secretKept') : undefined}
      />
    </div>
  );
}

function MailFields(props: Props) {
  const t = useTranslations('notifications.form');
  const { draft, onChange } = props;
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <DraftText {...props} name="host" label={t('host')} required className="col-span-2" />
        <DraftText {...props} name="port" type="number" label={t('port')} required />
        <Field label={t('tls')}>
          {(ids) => (
            <Select
              {...ids}
              className="h-8!"
              value={draft.tls}
              onChange={(event) => {
                const tls = TLS_MODES.find((mode) => mode === event.target.value);
                if (tls) onChange({ tls });
              }}
            >
              {TLS_MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {t(`tlsModes.${mode}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Login {...props} />
      <DraftText {...props} name="from" label={t('from')} required />
      <DraftText {...props} name="to" label={t('to')} hint={t('toHint')} required />
    </>
  );
}
