import { printable } from '@/lib/protocol/bytes';
import type { ReleasePreview } from '@/lib/protocol/actions';
import { selectLocks } from '@/server/queries/locks';
import { actorObstacle, releaseObstacle } from '@/server/queries/release-check';
import { toLock } from '@/server/state/view';
import { answer, type Verb } from './verb';

/** What `lock.release-many` accepts at once. */
const MAX_ITEMS = 500;
const MAX_EXCLUDED = 500;

/** Tells exactly which holds a bulk release would be asked for. Changes nothing. */
export const releasePreview: Verb<'lock.release-preview'> = {
  isAudited: false,
  subject: () => ({ db: null, key: null, namespaces: [], before: null }),
  run: async (context, { filter }) => {
    const preview: ReleasePreview = { items: [], total: 0, excluded: [] };
    for (const { record } of selectLocks(context, filter)) {
      const obstacle =
        actorObstacle(context.actor, record.namespace) ?? releaseObstacle(context, record);
      if (obstacle) {
        const excluded = {
          key: printable(record.key),
          because: obstacle.said.text,
          sentences: obstacle.said.sentences,
        };
        if (preview.excluded.length < MAX_EXCLUDED) preview.excluded.push(excluded);
        continue;
      }
      preview.total++;
      if (preview.items.length < MAX_ITEMS) {
        const alerts = context.alerts.codesFor(record.db, record.key);
        preview.items.push(toLock(record, alerts, context.now()));
      }
    }
    return { after: null, finish: answer(preview) };
  },
};
