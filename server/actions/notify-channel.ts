import { orSayWhoChanged } from './changed-meanwhile';
import { channelDocument, channelState, channelSubject } from './notify-subject';
import { answer, type Verb } from './verb';

/** Adds a channel or changes one. Saved before it counts; the secret is told to nobody again. */
export const notifySaveChannel: Verb<'notify.save-channel'> = {
  isAudited: true,
  subject: channelSubject,
  run: async (context, { id, version, name, settings }) => {
    const channel = await orSayWhoChanged(context, channelDocument(context, id ?? ''), () =>
      context.notifier.saveChannel({ id, version, name, settings }),
    );
    return { after: channelState(channel), finish: answer({ channel }) };
  },
};

export const notifyRemoveChannel: Verb<'notify.remove-channel'> = {
  isAudited: true,
  subject: channelSubject,
  run: async (context, { id, version }) => {
    await orSayWhoChanged(context, channelDocument(context, id), () =>
      context.notifier.removeChannel(id, version),
    );
    return { after: null, finish: answer({ outcome: 'removed' } as const) };
  },
};

/** Sends one message at once. That it does not arrive is an answer and no error. */
export const notifyTest: Verb<'notify.test'> = {
  isAudited: true,
  subject: channelSubject,
  run: async ({ notifier }, { id }) => {
    const outcome = await notifier.test(id);
    const { delivered, message } = outcome;
    return { after: { delivered, message }, finish: answer(outcome) };
  },
};
