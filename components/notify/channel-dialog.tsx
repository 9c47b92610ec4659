'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction } from '@/components/hooks';
import { Checkbox, Field, Select } from '@/components/ui/field';
import { CHANNEL_KINDS, memberOf } from '@/lib/protocol/closed-sets';
import type { Channel } from '@/lib/protocol/notify';
import { isReason } from '@/lib/protocol/reason';
import { draftOf, isWhole, settingsOf } from './channel-draft';
import { ChannelFields, DraftText } from './channel-fields';

interface Props {
  /** Null = a new one. */
  channel: Channel | null;
  /** As it is now, where it is still there. */
  present: Channel | null;
  /** `tests`: a test message is wanted. */
  onSaved: (id: string, tests: boolean) => void;
  onClose: () => void;
}

/** Adds a channel, or changes one; its secret stays unless another is typed. */
export function ChannelDialog({ channel, present, onSaved, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error, reset } = useAction('notify.save-channel');
  const [draft, setDraft] = useState(() => draftOf(channel));
  /** Null = it is added, as it was not there or is no more. */
  const [id, setId] = useState(channel?.id ?? null);
  const [version, setVersion] = useState(channel?.version);
  const [reason, setReason] = useState('');
  const [tests, setTests] = useState(true);
  const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const hasSecret = id !== null && channel?.kind === draft.kind && channel.hasSecret;
  const fields = { draft, hasSecret, onChange: change };
  const saveAs = async (changed: { id: string; version: number | null } | null) => {
    const named = { name: draft.name.trim(), settings: settingsOf(draft), reason: reason.trim() };
    const saved = await run({ ...changed, ...named });
    onSaved(saved.channel.id, tests);
  };
  const save = () => saveAs(id === null ? null : { id, version: version ?? null });
  /** Of one that somebody removed meanwhile no secret is left: where it needs one, that is asked for. */
  const saveMine = (there: number | null) => {
    if (there === null) setId(null);
    return saveAs(id === null || there === null ? null : { id, version: there });
  };
  const showTheirs = (): void => {
    if (!present) return onClose();
    setDraft(draftOf(present));
    setVersion(present.version);
    reset();
  };
  return (
    <FormDialog
      title={channel ? t('editTitle', { name: channel.name }) : t('form.addTitle')}
      description={t('form.text')}
      confirm={{ text: t('form.save'), look: 'primary' }}
      isValid={isWhole(draft, hasSecret) && isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={save}
      onConflict={{ showTheirs, hasTheirs: present?.version !== version, saveMine }}
      onClose={onClose}
    >
      <Field label={t('kind')} hint={t(`kindHints.${draft.kind}`)}>
        {(ids) => (
          <Select
            {...ids}
            className="h-8!"
            value={draft.kind}
            onChange={(event) => {
              const kind = memberOf(CHANNEL_KINDS, event.target.value);
              if (kind) change({ kind, secret: '' });
            }}
          >
            {CHANNEL_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(`kinds.${kind}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <DraftText {...fields} name="name" label={t('name')} required />
      <ChannelFields {...fields} />
      <ReasonArea
        label={t('form.reason')}
        hint={t('form.reasonHint')}
        value={reason}
        onChange={setReason}
      />
      <Checkbox
        label={t('form.testAfter')}
        checked={tests}
        onChange={(event) => setTests(event.target.checked)}
      />
    </FormDialog>
  );
}
