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
  /** `tests`: a test message is wanted. */
  onSaved: (id: string, tests: boolean) => void;
  onClose: () => void;
}

/** Adds a channel, or changes one; its secret stays unless another is typed. */
export function ChannelDialog({ channel, onSaved, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error } = useAction('notify.save-channel');
  const [shown] = useState(channel);
  const [draft, setDraft] = useState(() => draftOf(channel));
  const [reason, setReason] = useState('');
  const [tests, setTests] = useState(true);
  const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const hasSecret = channel?.kind === draft.kind && channel.hasSecret;
  const fields = { draft, hasSecret, onChange: change };
  const save = async () => {
    const named = { name: draft.name.trim(), settings: settingsOf(draft), reason: reason.trim() };
    const saved = await run(shown ? { ...named, ...identified(shown) } : named);
    onSaved(saved.channel.id, tests);
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

/** Which channel is changed, and what of it was seen. */
const identified = ({ id, name, settings }: Channel) => ({
  id,
  ...(settings ? { shown: { name, settings } } : {}),
});
