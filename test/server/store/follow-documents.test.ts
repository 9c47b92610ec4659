import { afterEach, expect, it } from 'vitest';
import { createFollowing } from '@/server/notify/following';
import { createChannelBook } from '@/server/notify/channel-book';
import { createSecretBox } from '@/server/notify/secret-box';
import { RULE_KIND, ruleId } from '@/server/alerts/rule-document';
import { createRules } from '@/server/alerts/rules';
import { createSilences, SILENCE_KIND } from '@/server/alerts/silences';
import { createOrderInversion } from '@/server/analysers/order-inversion';
import { createIntendedOrders } from '@/server/store/intended-orders';
import { createDocumentFollower } from '@/server/store/follow-documents';
import type { Store } from '@/server/store/store-contract';
import { START } from '@/test/support/records';
import { cleanUp, newDir, onBoth, openStore } from './store-under-test';

/** What one console holds of what operators set. */
async function aConsole(store: Store) {
  await store.start();
  const rules = createRules();
  const silences = createSilences();
  const now = () => START;
  const channels = createChannelBook({ store, box: createSecretBox('x'.repeat(40)), now });
  await channels.load();
  const { learnt } = createOrderInversion();
  const intended = createIntendedOrders({ store, target: 'main', orders: learnt });
  const told: string[] = [];
  const following = createFollowing({
    book: channels,
    rechannel: async (others) => void told.push(`channels ${others.length}`),
    reroute: async () => void told.push('routes'),
    replaced: () => undefined,
  });
  let changes = 0;
  const follow = createDocumentFollower({
    store,
    followed: [
      { kind: RULE_KIND, edits: () => rules.edits, replace: rules.restore },
      { kind: SILENCE_KIND, edits: () => silences.edits, replace: silences.restore },
      intended.followed,
      ...following.followed,
    ],
    changed: () => (changes += 1),
  });
  const saveRule = async (forMs: number): Promise<void> => {
    const setting = { ...rules.standardOf('blind', null), forMs };
    const document = { code: 'blind', class: null, setting, actor: 'ada', reason: 'r', at: START };
    const value = { ...document, code: 'blind' as const };
    const known = rules.versionOf('blind', null);
    const id = ruleId('blind', null);
    const version = await store.saveDocument({ kind: RULE_KIND, id, value }, known);
    rules.save(value, version);
  };
  return {
    ...{ store, rules, silences, channels, following, told, follow, saveRule },
    ...{ intended, isMeant: learnt.intended, of: () => changes },
  };
}

const aSilence = {
  ...{ id: 's', matcher: { class: 'pay:*' }, since: START, until: START + 1000 },
  ...{ actor: 'ada', reason: 'known' },
};
const hook = { kind: 'webhook', url: 'https://example.org/a' } as const;

onBoth('what is set on one console', (place) => {
  it('holds on the other, and is gone there when it is taken back', async () => {
    const spot = await place.fresh();
    const here = await aConsole(spot.open());
    const there = await aConsole(spot.open());
    await there.follow();
    await here.saveRule(5000);
    await here.store.saveDocument({ kind: SILENCE_KIND, id: 's', value: aSilence });
    const channel = await here.channels.save({ name: 'ops', settings: hook });
    const route = { id: 'r', least: 'info', namespaces: [], channels: [channel.id] } as const;
    await here.channels.saveRoutes([
      { ...route, namespaces: [], channels: [...route.channels], resolved: true },
    ]);
    const before = there.of();
    await there.follow();
    await there.following.turn();
    expect(there.of()).toBe(before + 1);
    expect(there.rules.settingFor('blind', null).forMs).toBe(5000);
    expect(there.silences.get('s')).toEqual(aSilence);
    expect(there.channels.list()).toEqual([channel]);
    expect(there.channels.routes()).toHaveLength(1);
    expect(there.told.slice(-2)).toEqual(['channels 1', 'routes']);

    await there.follow();
    expect(there.of()).toBe(before + 1);
    await here.store.removeDocument(RULE_KIND, ruleId('blind', null));
    await here.store.removeDocument(SILENCE_KIND, 's');
    await here.channels.remove(channel.id);
    await there.follow();
    expect(there.rules.set('blind', null)).toBeUndefined();
    expect(there.silences.size).toBe(0);
    expect([there.channels.list(), there.channels.routes()]).toEqual([[], []]);
  });

  it('is not overwritten by the other before that has heard of it', async () => {
    const spot = await place.fresh();
    const here = await aConsole(spot.open());
    const there = await aConsole(spot.open());
    const conflict = expect.objectContaining({ code: 'CONFLICT' });
    const channel = await here.channels.save({ name: 'ops', settings: hook });
    await there.follow();
    await here.saveRule(5000);
    await here.channels.save({ id: channel.id, name: 'night', settings: hook });
    await here.channels.saveRoutes([]);
    const { id } = channel;
    await expect(there.saveRule(6000)).rejects.toEqual(conflict);
    await expect(there.channels.save({ id, name: 'day', settings: hook })).rejects.toEqual(
      conflict,
    );
    await expect(there.channels.remove(id)).rejects.toEqual(conflict);
    await expect(there.channels.saveRoutes([])).rejects.toEqual(conflict);
    await there.follow();
    await there.saveRule(6000);
    await there.channels.saveRoutes([]);
    const last = await there.channels.save({ id, name: 'day', settings: hook });
    await here.follow();
    expect(here.rules.settingFor('blind', null).forMs).toBe(6000);
    expect(here.channels.get(id)).toEqual(last);
  });

  it('keeps the routes of a channel that could not be removed, and drops a channel from newer routes', async () => {
    const spot = await place.fresh();
    const here = await aConsole(spot.open());
    const there = await aConsole(spot.open());
    const { id } = await here.channels.save({ name: 'ops', settings: hook });
    const other = await here.channels.save({ name: 'day', settings: hook });
    const route = { id: 'r', least: 'info' as const, namespaces: [], resolved: true };
    await here.channels.saveRoutes([{ ...route, channels: [id] }]);
    await there.follow();
    await here.channels.save({ id, name: 'night', settings: hook });
    await expect(there.channels.remove(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(there.channels.routes()).toMatchObject([{ channels: [id] }]);
    expect((await there.store.documents('routes'))[0]?.value).toMatchObject([{ channels: [id] }]);
    await there.follow();
    await here.channels.saveRoutes([{ ...route, channels: [other.id, id] }]);
    await there.channels.remove(id);
    expect(there.channels.routes()).toMatchObject([{ channels: [other.id] }]);
    await here.follow();
    expect(here.channels.routes()).toMatchObject([{ channels: [other.id] }]);
  });

  it('is which orders of its own Redis are meant as well, and not overwritten before it is heard of', async () => {
    const spot = await place.fresh();
    const here = await aConsole(spot.open());
    const there = await aConsole(spot.open());
    const conflict = { code: 'CONFLICT' };
    const by = (actor: string) => ({ actor, reason: 'they never meet', at: START });
    const elsewhere = { kind: 'intended-order', id: 'other o1' };
    const value = { target: 'other', order: 'o2', ...by('eve') };
    await here.store.saveDocument({ ...elsewhere, value });
    await there.follow();
    await here.intended.intend('o1', by('ada'));
    await expect(there.intended.intend('o1', by('ben'))).rejects.toMatchObject(conflict);
    expect(there.isMeant('o1')).toBeNull();
    await there.follow();
    expect([there.isMeant('o1'), there.isMeant('o2')]).toEqual([by('ada'), null]);
    await there.intended.intend('o1', by('ben'));
    await expect(here.intended.unintend('o1')).rejects.toMatchObject(conflict);
    expect(here.isMeant('o1')).toEqual(by('ada'));
    await here.follow();
    expect(here.isMeant('o1')).toEqual(by('ben'));
    await here.intended.unintend('o1');
    await there.follow();
    expect(there.isMeant('o1')).toBeNull();
  });

  it('is gone where the other took it back before this one looked again', async () => {
    const spot = await place.fresh();
    const here = await aConsole(spot.open());
    const there = await aConsole(spot.open());
    await here.follow();
    await here.intended.intend('o1', { actor: 'ada', reason: 'they never meet', at: START });
    await here.saveRule(5000);
    await there.follow();
    await there.intended.unintend('o1');
    await there.store.removeDocument(RULE_KIND, ruleId('blind', null));
    await here.follow();
    expect(here.isMeant('o1')).toBeNull();
    expect(here.rules.set('blind', null)).toBeUndefined();
  });

  it('is set once where two set it at once', async () => {
    const spot = await place.fresh();
    const here = await aConsole(spot.open());
    const outcomes = await Promise.allSettled([here.saveRule(1000), here.saveRule(2000)]);
    const won = outcomes.flatMap(({ status }, i) =>
      status === 'fulfilled' ? [(i + 1) * 1000] : [],
    );
    expect(won).toHaveLength(1);
    expect(here.rules.settingFor('blind', null).forMs).toBe(won[0]);
    await here.follow();
    expect(here.rules.settingFor('blind', null).forMs).toBe(won[0]);
  });
});

onBoth('what a later version has set', (place) => {
  it('is left out and stays for that one, and a rule of it may be replaced', async () => {
    const spot = await place.fresh();
    const { store } = await aConsole(spot.open());
    const foreign = { id: 'later', least: 'of-the-future' };
    await store.saveDocument({ kind: RULE_KIND, id: ruleId('blind', null), value: foreign });
    await store.saveDocument({ kind: 'channel', id: 'later', value: foreign });
    await store.saveDocument({ kind: 'routes', id: 'routes', value: [foreign] });
    const here = await aConsole(spot.open());
    await here.follow();
    expect(here.rules.set('blind', null)).toBeUndefined();
    expect([here.channels.list(), here.channels.routes()]).toEqual([[], []]);
    await here.saveRule(5000);
    expect(here.rules.settingFor('blind', null).forMs).toBe(5000);
    await here.channels.save({ name: 'ops', settings: hook });
    await here.channels.saveRoutes([]);
    expect((await store.documents('channel')).map(({ value }) => value)).toContainEqual(foreign);
    expect((await store.documents('routes')).map(({ value }) => value)).toEqual([[foreign]]);
  });
});

afterEach(cleanUp);

it('a follower leaves alone what is set here while it reads', async () => {
  const here = await aConsole(openStore({ databaseUrl: null, dataDir: await newDir() }));
  await here.saveRule(1000);
  await here.follow();
  await here.saveRule(2000);
  const reading = here.follow();
  const saving = here.saveRule(3000);
  await Promise.all([reading, saving]);
  expect(here.rules.settingFor('blind', null).forMs).toBe(3000);
  await here.follow();
  expect(here.rules.settingFor('blind', null).forMs).toBe(3000);
  await here.saveRule(4000);
});
