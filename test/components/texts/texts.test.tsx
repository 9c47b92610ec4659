import { renderToStaticMarkup } from 'react-dom/server';
import { useMessages, useTranslations } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { Providers } from '@/components/shell/providers';
import { Texts } from '@/components/texts/texts';
import { DEFAULT_LOCALE } from '@/lib/messages';
import { en } from '@/lib/messages/en';

const Known = () => <i>{Object.keys(useMessages()).join(' ')}</i>;

function Titles() {
  const ui = useTranslations('ui');
  const locks = useTranslations('locks');
  return <b>{`${ui('close')}, ${locks('totalOf', { shown: 1, all: 2000 })}`}</b>;
}

describe('the texts of a page', () => {
  it('are those it names and those of the layouts around it, and no others', () => {
    const markup = renderToStaticMarkup(
      <Providers locale={DEFAULT_LOCALE}>
        <Texts of={['ui']}>
          <Texts of={['locks']}>
            <Titles />
            <Known />
          </Texts>
          <Known />
        </Texts>
      </Providers>,
    );
    expect(markup).toContain(`<b>${en.ui.close}, 1 of 2,000 locks</b>`);
    expect(markup).toContain('<i>ui locks</i><i>ui</i>');
  });
});
