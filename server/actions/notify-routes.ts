import { orSayWhoChanged } from './changed-meanwhile';
import { routesDocument } from './notify-subject';
import { answer, type Verb } from './verb';

/** Says which alerts go where, all at once. What fires now is told to whom it leads then. */
export const notifySaveRoutes: Verb<'notify.save-routes'> = {
  isAudited: true,
  subject: ({ notifier }) => ({
    ...{ db: null, key: null, namespaces: 'all' },
    before: notifier.routes(),
  }),
  run: async (context, { routes, version }) => {
    const saved = await orSayWhoChanged(context, routesDocument(context), () =>
      context.notifier.saveRoutes(routes, version),
    );
    return { after: saved, finish: answer({ routes: [...saved] }) };
  },
};
