'use client';

import { CircleCheck, CircleDashed, Send, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Elapsed, ErrorText, TimeAgo, useSaid } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { Channel } from '@/lib/protocol/notify';
import { KIND_ICON } from './kind-icon';
import type { ChannelTest } from './use-channel-tests';
import { useIsAdmin } from './use-is-admin';

interface Props {
  channel: Channel;
  test: ChannelTest | undefined;
  onTest: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

export function ChannelRow({ channel, test, onTest, onEdit, onRemove }: Props) {
  const t = useTranslations('notifications');
  const isAdmin = useIsAdmin();
  const { name, kind, destination } = channel;
  const Icon = KIND_ICON[kind];
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-2.5 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Icon size={16} aria-hidden className="shrink-0 text-ink-3" />
        <div className="min-w-40 flex-1">
          <p className="font-medium break-words">{name}</p>
          <p className="text-xs break-words text-ink-2">
            {t(`kinds.${kind}`)}
            {destination && <> · {destination}</>}
          </p>
        </div>
        {isAdmin && (
          <div className="flex gap-1.5">
            <Button
              icon={<Send size={13} aria-hidden />}
              pending={test?.state === 'pending'}
              aria-label={t('testTitle', { name })}
              onClick={onTest}
            >
              {t('test')}
            </Button>
            <Button look="ghost" aria-label={t('editTitle', { name })} onClick={onEdit}>
              {t('edit')}
            </Button>
            <Button look="ghost" aria-label={t('removeTitle', { name })} onClick={onRemove}>
              {t('remove')}
            </Button>
          </div>
        )}
      </div>
      <div className="sm:pl-7">
        <Health channel={channel} />
      </div>
      {test && <TestResult test={test} />}
    </li>
  );
}

function Health({ channel: { failing, deliveredAt, waiting } }: { channel: Channel }) {
  const t = useTranslations('notifications');
  const count = waiting > 0 && <Badge>{t('waiting', { count: waiting })}</Badge>;
  if (failing) {
    return (
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-xs">
        <Badge tone="critical" icon={<TriangleAlert size={11} aria-hidden />}>
          {t('healthWords.failing')}
        </Badge>
        <span className="min-w-0 break-words text-ink-2">
          {t.rich('failingFor', {
            time: () => <Elapsed since={failing.since} />,
            error: failing.error,
          })}
        </span>
        {count}
      </p>
    );
  }
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-xs">
      {deliveredAt === null ? (
        <Badge icon={<CircleDashed size={11} aria-hidden />}>{t('healthWords.untried')}</Badge>
      ) : (
        <>
          <Badge tone="ok" icon={<CircleCheck size={11} aria-hidden />}>
            {t('healthWords.works')}
          </Badge>
          <span className="text-ink-2">
            {t.rich('lastDelivered', { ago: () => <TimeAgo at={deliveredAt} /> })}
          </span>
        </>
      )}
      {count}
    </p>
  );
}

function TestResult({ test }: { test: ChannelTest }) {
  const t = useTranslations('notifications');
  const say = useSaid();
  if (test.state === 'pending') return null;
  if (test.state === 'failed') {
    return (
      <Notice tone="critical" polite title={t('testFailed')}>
        <ErrorText error={test.error} />
      </Notice>
    );
  }
  const { delivered, sentences, message } = test.outcome;
  return (
    <Notice
      tone={delivered ? 'ok' : 'critical'}
      polite
      title={delivered ? t('arrived') : t('notArrived')}
    >
      {say(sentences, message)}
    </Notice>
  );
}
