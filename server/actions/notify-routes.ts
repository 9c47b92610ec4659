import { requireShown } from './require-shown';
import { answer, type Verb } from './verb';

/** Says which alerts go where, all at once. What fires now is told to whom it leads then. */
export const notifySaveRoutes: Verb<'notify.save-routes'> = {
  isAudited: true,
  subject: ({ notifier }) => ({
    ...{ db: null, key: null, namespaces: 'all' },
    before: notifier.routes(),
  }),
  run: async ({ notifier }, { routes, shown }) => {
    requireShown(shown, [...notifier.routes()]);
    const saved = await notifier.saveRoutes(routes);
    return { after: saved, finish: answer({ routes: [...saved] }) };
  },
};
