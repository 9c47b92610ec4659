import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { usePlaceText } from '@/components/labels';
import { en } from '@/lib/messages/en';
import type { OwnerPlace } from '@/lib/protocol/measures';

const NOTHING = { app: null, host: null, ip: null, pid: null };

function Place({ place }: { place: OwnerPlace | undefined }) {
  return <>{usePlaceText()(place) ?? 'nothing'}</>;
}

const said = (place: OwnerPlace | undefined): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <Place place={place} />
    </IntlProvider>,
  );

describe('where somebody runs', () => {
  it.each([
    [{ app: 'order-7', host: 'worker-3', ip: '10.1.2.3' }, 'order-7 on 10.1.2.3'],
    [{ app: 'order-7', host: 'worker-3' }, 'order-7 on worker-3'],
    [{ host: 'worker-3', ip: '10.1.2.3' }, 'worker-3 on 10.1.2.3'],
    [{ app: 'order-7' }, 'order-7'],
    [{ ip: '10.1.2.3' }, '10.1.2.3'],
    [{}, 'nothing'],
  ])('is told by what is known: %o', (place, text) => {
    expect(said({ ...NOTHING, ...place })).toBe(text);
  });

  it('is not guessed', () => {
    expect(said(undefined)).toBe('nothing');
  });
});
