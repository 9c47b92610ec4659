import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { SampleLive } from '@/components/gallery/sample-live';
import { lostTargets, sampleTargets } from '@/components/gallery/targets';
import { NodePanel } from '@/components/targets/node-panel';
import { TargetWarnings } from '@/components/targets/target-warnings';
import { en } from '@/lib/messages/en';
import { inEnglish } from '@/lib/messages/in-english';
import { sentence, verbatim } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';

const NOW = Date.UTC(2026, 0, 15, 12);

const html = (element: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <SampleLive queries={{}} actions={{}} session={{ name: 'a', role: 'viewer', version: '1' }}>
        {element}
      </SampleLive>
    </IntlProvider>,
  );
const words = (element: ReactNode): string =>
  html(element)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

it('a node out of reach shows that nothing is seen, whatever was seen before', () => {
  const [node] = sampleTargets(NOW)[0]?.nodes ?? [];
  const [lost] = lostTargets(NOW)[0]?.nodes ?? [];
  if (!node || !lost) throw new Error('the gallery has a target with a node');
  const all = { acquire: true, release: true, lapse: true, eviction: true };
  const seen = ({ connected }: { connected: boolean }): RegExpMatchArray | null =>
    words(<NodePanel node={{ ...(connected ? node : lost), connected, canSee: all }} />).match(
      /(Acquire|Release|Lease end|Eviction) no/g,
    );
  expect(seen({ connected: true })).toBeNull();
  expect(seen({ connected: false })).toHaveLength(4);
});

it('one key is one key', () => {
  const [node] = sampleTargets(NOW)[0]?.nodes ?? [];
  if (!node) throw new Error('the gallery has a target with a node');
  const swept = (scanned: number): string =>
    words(
      <NodePanel
        node={{
          ...node,
          sweep: { ...node.sweep, running: false, finishedAt: NOW, scanned, locks: 1 },
        }}
      />,
    );
  expect(swept(1)).toContain('1 key, 1 lock,');
  expect(swept(12_000)).toContain('12k keys, 1 lock,');
});

it('what is to be read is no code with a button to copy it, and what is to be pasted is', () => {
  const warn = (remedy: Sentence): string => {
    const message = sentence('warning:down', { address: 'a:1' });
    return html(
      <TargetWarnings
        warnings={[
          {
            code: 'blind',
            message: inEnglish([message]),
            remedy: inEnglish([remedy]),
            sentences: { message: [message], remedy: [remedy] },
          },
        ]}
      />,
    );
  };
  expect(warn(sentence('warning:down-remedy', {}))).not.toMatch(/<code|<button/);
  expect(warn(verbatim('CONFIG SET x y'))).toMatch(/<code[^>]*>CONFIG SET x y<\/code>.*<button/);
});
