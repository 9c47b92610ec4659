import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ReactNode } from 'react';
import { AlertRow } from '@/components/alerts/list/alert-row';
import { ErrorText } from '@/components/labels';
import { SampleLive } from '@/components/gallery/sample-live';
import { en } from '@/lib/messages/en';
import type { SentenceCatalogue } from '@/lib/messages/sentence';
import { said } from '@/lib/messages/in-english';
import { Alert } from '@/lib/protocol/alert';
import { bodyOf, CodedError, errorBodyOf } from '@/lib/protocol/errors';
import { createAlertBook } from '@/server/alerts';
import { createAnalysis } from '@/server/analysers';
import { aHold, aLock, aTable, aTarget, START } from '@/test/support/records';

const MINUTE = 60_000;

/** A catalogue that has only some of its sentences in another language. */
const chinese: SentenceCatalogue = {
  ...en.sentences,
  between: '',
  'unit:min': '{n}分钟',
  'owner:unknown': '未知所有者',
  'long-hold:held-renewed': '{owner}已持有{heldMs}，续期{renewals}次',
  'long-hold:stays-renewed': '续期期间不会自行释放。',
  'not-found:lock': '数据库{db}中没有锁{key}。',
  'long-hold:look': '请检查持有者的状态。',
};

/** What the console finds in a lock that is held too long, as it travels to a page. */
function theAlert(owner: string): Alert {
  const analysis = createAnalysis({ longHoldMs: MINUTE, noExpiryMs: MINUTE });
  const lock = aLock('lock:report', { hold: aHold(owner, { renewals: 282 }) });
  const now = START + 47 * MINUTE;
  const findings = analysis.findings(aTable([lock]), aTarget(), now);
  const [alert] = createAlertBook({ target: 'main' }).update(findings, now);
  return Alert.parse(JSON.parse(JSON.stringify(alert)));
}

const page = (sentences: SentenceCatalogue, element: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={{ ...en, sentences }} timeZone="UTC">
      <SampleLive queries={{}} actions={{}} session={{ name: 'a', role: 'viewer', version: '1' }}>
        {element}
      </SampleLive>
    </IntlProvider>,
  );

const nothing = () => undefined;
const acts = { toggle: nothing, expand: nothing, acknowledge: nothing, silence: nothing };
const card = (alert: Alert) => <AlertRow alert={alert} isExpanded mayAct={false} acts={acts} />;

describe('an alert', () => {
  it('is told in the language of the page, while its answer stays English', () => {
    const alert = theAlert('worker-7');
    expect(alert.summary).toBe('held 47 min by worker-7, renewed 282×');
    expect(alert.remedy).toBe(
      'It does not free itself while it is renewed. Look at what the owner does; if it is stuck, stop it or release the lock on its page.',
    );
    const markup = page(chinese, card(alert));
    expect(markup).toContain('worker-7已持有47分钟，续期282次');
    expect(markup).toContain('续期期间不会自行释放。请检查持有者的状态。');
    expect(markup).not.toContain(alert.summary);
  });

  it('is told as its answer says when the page does not know its sentences', () => {
    const { sentences: _, ...old } = theAlert('worker-7');
    expect(page(chinese, card(old))).toContain(old.summary);
    const said = { summary: [{ id: 'of-tomorrow', values: {} }], remedy: [] };
    expect(page(chinese, card({ ...old, sentences: said }))).toContain(old.summary);
  });
});

describe('an error', () => {
  it('is told in the language of the page', () => {
    const error = new CodedError('NOT_FOUND', said('not-found:lock', { key: 'a', db: 3 }));
    const travelled = errorBodyOf(JSON.parse(JSON.stringify(bodyOf(error))))?.error;
    expect(travelled?.message).toBe('No lock with the key a is known in db 3.');
    if (!travelled) return;
    expect(page(chinese, <ErrorText error={travelled} />)).toBe('数据库3中没有锁a。');
  });
});
