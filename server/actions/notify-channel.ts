import { channelState, channelSubject } from './notify-subject';
import { requireShown } from './require-shown';
import { answer, type Verb } from './verb';

/** Adds a channel or changes one. Saved before it counts; the secret is told to nobody again. */
export const notifySaveChannel: Verb<'notify.save-channel'> = {
  isAudited: true,
  subject: channelSubject,
  run: async ({ notifier }, { id, name, settings, shown }) => {
    const present = notifier.channels().find((each) => each.id === id);
    if (present?.settings) {
      requireShown(shown, { name: present.name, settings: present.settings });
    }
    const channel = await notifier.saveChannel({ id, name, settings });
    return { after: channelState(channel), finish: answer({ channel }) };
  },
};

export const notifyRemoveChannel: Verb<'notify.remove-channel'> = {
  isAudited: true,
  subject: channelSubject,
  run: async ({ notifier }, { id }) => {
    await notifier.removeChannel(id);
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
