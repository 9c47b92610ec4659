'use client';

import { useTranslations } from 'use-intl';
import { useUrlParams } from '@/components/hooks';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { ADVICE_TABS, readAdviceTab, type AdviceTab } from './advice-view';
import { ConfigurationAdvice } from './configuration-advice';
import { ContentionAdvice } from './contention-advice';
import { TimeoutAdviceList } from './timeout-advice';

const CONTENT: Record<AdviceTab, () => React.ReactNode> = {
  contention: ContentionAdvice,
  timeouts: TimeoutAdviceList,
  configuration: ConfigurationAdvice,
};

/** What to change, each advice with the figures it rests on; and of what nothing can be said. */
export function AdviceBoard() {
  const t = useTranslations('advice');
  const url = useUrlParams();
  const tab = readAdviceTab(url.get('tab'));
  const Content = CONTENT[tab];
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t(`descriptions.${tab}`)} />
      <SegmentedControl
        label={t('tab')}
        value={tab}
        options={ADVICE_TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        className="self-start"
        onChange={(value) => url.set({ tab: value === 'contention' ? null : value })}
      />
      <Content />
    </PageBody>
  );
}
