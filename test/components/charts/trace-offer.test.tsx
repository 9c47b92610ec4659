import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { sampleBlame } from '@/components/gallery/blame';
import { BlameNotices } from '@/components/blame/blame-notices';
import { NotObservable } from '@/components/waits/not-observable';
import { en } from '@/lib/messages/en';
import type { ReactNode } from 'react';

const html = (element: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      {element}
    </IntlProvider>,
  );

const unseen = (reason: 'polls' | 'never-waits') => ({
  class: 'order:*',
  formats: ['redlock'],
  reason,
});

describe('where nobody can tell who waits', () => {
  it('leads to a trace on the page of waits, but not of those who never wait', () => {
    expect(html(<NotObservable classes={[unseen('polls')]} />)).toContain('href="/traces"');
    expect(html(<NotObservable classes={[unseen('never-waits')]} />)).not.toContain('/traces');
  });

  it('leads to a trace on the page of blame', () => {
    const data = { ...sampleBlame(0), notObservable: ['order:*'] };
    expect(html(<BlameNotices data={data} />)).toContain('href="/traces"');
    expect(html(<BlameNotices data={{ ...data, notObservable: [] }} />)).not.toContain('/traces');
  });
});
