import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { useAction, useConnection, useLive, useNow, useSession } from '@/components/hooks';
import { LiveProvider } from '@/components/live/live-provider';

function Everything(): ReactNode {
  const live = useLive('locks', { q: 'a' });
  const { pending, error } = useAction('lock.release');
  return JSON.stringify([live, useConnection(), useNow(), useSession(), pending, error]);
}

describe('the hooks', () => {
  it('render on the server what the browser shows while it hydrates', () => {
    const html = renderToString(
      <LiveProvider>
        <Everything />
      </LiveProvider>,
    );
    const loading = { state: 'loading', error: null, at: null };
    expect(JSON.parse(html.replaceAll('&quot;', '"'))).toEqual([
      ...[loading, 'connecting', 0, null],
      ...[false, null],
    ]);
  });

  it('say so when the provider is missing', () => {
    expect(() => renderToString(<Everything />)).toThrow(/LiveProvider/);
  });
});
